/** The code of a refusal that is none of what was asked: the site can save nothing now. It is asked again until it can. */
export const UNWRITABLE = "unwritable";
