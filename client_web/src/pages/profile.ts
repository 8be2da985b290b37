// The profile page: questions appear under their conditions; everything is sent with the button.
import { wire } from "../questionnaire";

const form = document.querySelector<HTMLFormElement>("form.questionnaire");
if (form) wire(form, () => undefined);
