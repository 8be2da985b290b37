// Tables that the server wrote, to take away: each button with `data-csv`, the name of the file, saves the table of its section.
import { save } from "../plots/download";
import { csvOfTable } from "../plots/table";

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-csv]")) {
  button.addEventListener("click", () => {
    const table = button.closest("section")?.querySelector("table");
    if (table) save(`${button.dataset["csv"]}.csv`, csvOfTable(table), "text/csv");
  });
}
