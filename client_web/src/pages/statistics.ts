// The statistics: how good the judges are, as curves. Everything else stands in the page.
import { mount, pageData } from "../plots/figure";
import { calibrated, rocCurve } from "../plots/judges";
import type { Statistics } from "../plots/data";

if (document.getElementById("roc")) {
  const data = pageData<Statistics>();
  mount("roc", rocCurve, data);
  mount("calibration", calibrated, data);
}
