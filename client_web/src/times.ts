/** Moments that the server wrote in UTC, written again in the reader's own time zone and the page's language; UTC stays in the title. */

const FORM: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const whole = new Intl.DateTimeFormat(document.documentElement.lang, FORM);
const ofDay = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export function localTimes(place: ParentNode): void {
  for (const element of place.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.title = element.textContent ?? "";
    element.textContent = (element.dataset["local"] === "clock" ? ofDay : whole).format(at);
    delete element.dataset["local"]; // else a second look would put the local time into the title
  }
}
