// The persons: abilities beside difficulties, groups, and how people learn. The learning curves are asked for when the rest stands.
import { t } from "../i18n";
import { learning } from "../plots/courses";
import type { Lesson, Persons } from "../plots/data";
import { mount, pageData } from "../plots/figure";
import { groupMap, wrightMap } from "../plots/persons";

async function showLearning(): Promise<void> {
  const place = document.getElementById("learning");
  try {
    const answer = await fetch("/api/research/learning", { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    mount("learning", learning, (await answer.json()) as Lesson[]);
  } catch (error) {
    if (place) place.textContent = t("The learning curves could not be loaded: {reason}", { reason: String(error) });
  }
}

if (document.getElementById("wright")) {
  const data = pageData<Persons>();
  mount("wright", wrightMap, data);
  mount("groups", groupMap, data);
  void showLearning();
}
