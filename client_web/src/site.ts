// What every page does: unfold the navigation on small screens, show where one is, and switch the colours.

function setUpNavigation(): void {
  const toggle = document.querySelector<HTMLButtonElement>(".nav-toggle");
  if (!toggle) return;
  toggle.setAttribute("aria-expanded", "false"); // only now may it fold: without a script it stays open
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-expanded", String(toggle.getAttribute("aria-expanded") !== "true"));
  });
}

/** The choice lives in a cookie, so that the server can put it into the page and nothing flashes. */
function setUpTheme(): void {
  const group = document.querySelector<HTMLFieldSetElement>("#theme");
  if (!group) return;
  group.hidden = false;
  group.addEventListener("change", (event) => {
    const theme = (event.target as HTMLInputElement).value;
    document.documentElement.dataset.theme = theme;
    document.cookie = `theme=${theme}; Path=/; Max-Age=${theme ? 31_536_000 : 0}; SameSite=Lax`;
  });
}

/** On a small screen the parts and the pages of a part scroll sideways, each for itself; the present one shall be in sight. */
function showPresentPage(): void {
  for (const pages of document.querySelectorAll(".subnav ul")) {
    const present = pages.querySelector("[aria-current]");
    if (present) pages.scrollLeft += present.getBoundingClientRect().left - pages.getBoundingClientRect().left;
  }
}

setUpNavigation();
setUpTheme();
showPresentPage();

export {};
