const storageKey = "store-h5-referrer";
const codeKey = "store-h5-share-code";

/**
 * Stores the referrer that the share link names, with its share code, until the visitor signs up. A later link replaces
 * both.
 */
export function rememberReferrer(): void {
  const query = new URLSearchParams(location.search);
  const [uid, code] = [query.get("spread") ?? "", query.get("share") ?? ""];
  if (!/^[1-9]\d{0,15}$/.test(uid)) return;
  localStorage.setItem(storageKey, uid);
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(code)) localStorage.setItem(codeKey, code);
  else localStorage.removeItem(codeKey);
}

/** The member whose share link was opened in this browser. */
export function referrer(): number | undefined {
  const uid = Number(localStorage.getItem(storageKey));
  return uid > 0 ? uid : undefined;
}

/** The share code of that link. Without it, the store does not tell the name of the member. */
export function referrerCode(): string | undefined {
  return localStorage.getItem(codeKey) ?? undefined;
}

/** Removes the referrer after a sign-up, or if the member already has one. */
export function forgetReferrer(): void {
  localStorage.removeItem(storageKey);
  localStorage.removeItem(codeKey);
}
