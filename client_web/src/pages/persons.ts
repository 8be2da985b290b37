// The persons: abilities beside difficulties, groups, and how people learn. The learning curves are asked for when the rest stands.
import { t } from "../i18n";
import { learning } from "../plots/courses";
import type { AttributeReport, Lesson, PersonsOverview } from "../plots/data";
import { type Figure, mount, pageData } from "../plots/figure";
import { ofGame } from "../plots/of_game";
import { attributeReport, groupMap, wrightMap } from "../plots/persons";

async function showLearning(): Promise<void> {
  const place = document.getElementById("learning");
  try {
    const answer = await fetch(ofGame("/api/research/learning"), { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    mount("learning", learning, (await answer.json()) as Lesson[]);
  } catch (error) {
    if (place) place.textContent = t("The learning curves could not be loaded: {reason}", { reason: String(error) });
  }
}

/** How those judge who say the same of themselves, for the attribute that is chosen. */
function showAttributes(select: HTMLSelectElement): void {
  const place = document.getElementById("attributes");
  let figure: Figure<AttributeReport> | null = null;
  const show = async (): Promise<void> => {
    try {
      const answer = await fetch(ofGame(`/api/research/attributes/${encodeURIComponent(select.value)}`), { headers: { accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const report = (await answer.json()) as AttributeReport;
      if (report.attribute !== select.value) return; // another one was chosen meanwhile
      if (figure) figure.show(report);
      else figure = mount("attributes", attributeReport, report);
    } catch (error) {
      if (place) place.textContent = t("This could not be loaded: {reason}", { reason: String(error) });
      figure = null;
    }
  };
  select.addEventListener("change", () => void show());
  void show();
}

const attribute = document.querySelector<HTMLSelectElement>("#attribute");
if (attribute?.value) showAttributes(attribute);
if (document.getElementById("wright")) {
  const data = pageData<PersonsOverview>();
  mount("wright", wrightMap, data);
  mount("groups", groupMap, data);
  void showLearning();
}
