import { useEffect } from "react";
import type { Api } from "../../../client/index.ts";
import { brandOf } from "../../../shared/brand.ts";
import { useApi } from "../store/store.ts";

/** Name, logo and colour of the store, which are settings. */
export type Site = Pick<Api["SystemMetadata"], "site_name" | "logo" | "colour">;

const storageKey = "store-h5-site";

function knownSite(): Site | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? "null") ?? undefined) as Site | undefined;
  } catch {
    return undefined;
  }
}

function show({ colour }: Site): void {
  for (const [name, shade] of Object.entries(brandOf(colour))) document.documentElement.style.setProperty(name, shade);
}

/** Shows the colour of the last visit until the response of the store arrives. */
export function showKnownSite(): void {
  const site = knownSite();
  if (site && /^#[0-9a-f]{6}$/.test(site.colour)) show(site);
}

/**
 * Name, logo and colour of the store. Until the store responds, those of the last visit; undefined on the first visit.
 */
export function useSite(): Site | undefined {
  const site = useApi("/api/system/metadata", {}, { staleTime: 300_000 }).data;
  useEffect(() => {
    if (!site) return;
    const { site_name, logo, colour } = site;
    localStorage.setItem(storageKey, JSON.stringify({ site_name, logo, colour }));
    show(site);
  }, [site]);
  return site ?? knownSite();
}
