// One strategy: how it was judged over time.
import type { StrategyPage } from "../plots/data";
import { course } from "../plots/courses";
import { mount, pageData } from "../plots/figure";

if (document.getElementById("course")) mount("course", course, pageData<StrategyPage>());
