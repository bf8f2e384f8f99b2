import { clientsClaim } from "workbox-core";
import { cleanupOutdatedCaches, matchPrecache, type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { NetworkFirst } from "workbox-strategies";

// Lets the app open without a connection. The build writes the list of its files (apps/h5/service_worker_plugin.ts).
// What the store has answered is kept by the app (app/kept_data.tsx), and pictures by the cache of the browser.

interface InstallEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

declare const self: {
  skipWaiting(): Promise<void>;
  addEventListener(type: "install", listener: (event: InstallEvent) => void): void;
  __WB_MANIFEST: PrecacheEntry[];
};

/** A connection that is slower than this counts as none, in seconds. */
const patience = 4;

void self.skipWaiting();
clientsClaim();
cleanupOutdatedCaches();

// The page before the other files: where there is a connection, everybody gets the newest version.
registerRoute(
  // Pages of share links lead on to the app, whose files are elsewhere.
  ({ request, url }) => request.mode === "navigate" && !/\/p\/(\d+\/)?$/.test(url.pathname),
  new NetworkFirst({
    cacheName: "page",
    networkTimeoutSeconds: patience,
    plugins: [{ handlerDidError: () => matchPrecache("index.html") }],
  }),
);

// Each installation has its own, and the page has read it before this worker is there.
const config = "config.json";
self.addEventListener("install", (event) => event.waitUntil(caches.open(config).then((cache) => cache.add(config))));
registerRoute(
  ({ url }) => url.pathname.endsWith(`/${config}`),
  new NetworkFirst({ cacheName: config, networkTimeoutSeconds: patience }),
);

precacheAndRoute(self.__WB_MANIFEST);
