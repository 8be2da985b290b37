// One person: the course of the weight.
import { weight } from "../plots/courses";
import type { PersonPage } from "../plots/data";
import { mount, pageData } from "../plots/figure";

if (document.getElementById("weight")) mount("weight", weight, pageData<PersonPage>());
