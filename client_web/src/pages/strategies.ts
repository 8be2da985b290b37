// All strategies: the table with every statistic, the share judged human, and the space.
import { t } from "../i18n";
import type { Strategies } from "../plots/data";
import { save } from "../plots/download";
import { mount, pageData } from "../plots/figure";
import { judgedHuman, spacePicture } from "../plots/strategies";
import { csvOfTable } from "../plots/table";

const data = pageData<Strategies>();
const which = document.querySelector<HTMLSelectElement>("#which");
const told = document.querySelector<HTMLElement>("#chosen");
const table = document.querySelector<HTMLTableElement>("#statistics");

function selected(): Strategies {
  return which?.value === "now" ? { ...data, strategies: data.strategies.filter(({ plays }) => plays) } : data;
}

function chooseRows(): void {
  for (const row of table?.tBodies[0]?.rows ?? []) row.hidden = which?.value === "now" && row.dataset["plays"] !== "true";
}

if (told) {
  const figures = [mount("judged-human", judgedHuman, selected()), mount("space", spacePicture(told), selected())];
  which?.addEventListener("change", () => {
    for (const figure of figures) figure.show(selected());
    chooseRows();
  });
}
if (table) {
  chooseRows();
  document.querySelector("#statistics-csv")?.addEventListener("click", () => save(`${t("strategies")}.csv`, csvOfTable(table), "text/csv"));
}
