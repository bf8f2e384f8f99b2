import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { newAuthSettings } from "./hosted_auth_settings.ts";

/** A fake of Supabase's management API for the real Supabase CLI, and of the gateway in front of edge functions. */
export interface FakePlatform {
  ref: string;
  address: string;
  /** Settings of the CLI: this platform, a token, and an empty folder that can be linked. */
  environment: Record<string, string>;
  /** The names of the secrets of the edge functions. */
  secrets: string[];
  publicKeys: { name: string; type: string; api_key: string }[];
  /** The settings of Auth, by the names of the management API. */
  auth: Record<string, unknown>;
  /** The state of the project. */
  status: string;
  backups: {
    pitr_enabled: boolean;
    backups: { id: number; is_physical_backup: boolean; status: string; inserted_at: string }[];
  };
  /**
   * Answers a request in place of the fake, unless it returns undefined. A promise that is never fulfilled is a
   * response that never comes.
   */
  answer?: (
    request: PlatformRequest,
  ) => [status: number, body: unknown] | Promise<[status: number, body: unknown]> | undefined;
  /** The response of the gateway for a path, in place of 404. */
  responses: Map<string, { status: number; body: object; contentType?: string; headers?: Record<string, string> }>;
  stop(): void;
}

/** A request to the management API, or to the gateway. */
export interface PlatformRequest {
  /** `POST /v1/projects/…`, without the query. */
  route: string;
  query: URLSearchParams;
  body: string;
}

export async function startFakePlatform(): Promise<FakePlatform> {
  const ref = "a".repeat(20);
  const folder = mkdtempSync(join(tmpdir(), "fake-platform-"));
  mkdirSync(join(folder, "supabase"));
  writeFileSync(join(folder, "supabase/config.toml"), 'project_id = "fake"\n');
  const platform: Omit<FakePlatform, "address" | "environment" | "stop"> = {
    ref,
    secrets: [],
    publicKeys: [],
    auth: newAuthSettings(),
    status: "ACTIVE_HEALTHY",
    backups: { pitr_enabled: false, backups: [] },
    responses: new Map(),
  };

  const project = {
    id: ref,
    ref,
    name: "Store",
    organization_id: "o",
    organization_slug: "o",
    region: "ap-southeast-1",
    status: "ACTIVE_HEALTHY",
    created_at: "2026-01-01T00:00:00Z",
    database: { host: "db", version: "17.4", postgres_engine: "17", release_channel: "ga" },
  };
  const management = (
    method: string,
    path: string,
    authorization: string | undefined,
    body: string,
  ): [number, unknown] => {
    if (authorization !== `Bearer ${token}`) return [401, { message: "Unauthorized" }];
    if (path.endsWith("/secrets"))
      return [200, platform.secrets.map((name) => ({ name, value: "digest", updated_at: "2026-01-01T00:00:00Z" }))];
    if (path.endsWith("/api-keys")) return [200, platform.publicKeys.map((key, id) => ({ ...key, id: String(id) }))];
    if (path.endsWith("/billing/addons")) return [200, { selected_addons: [], available_addons: [] }];
    if (path.endsWith("/database/backups"))
      return [200, { region: project.region, walg_enabled: true, physical_backup_data: {}, ...platform.backups }];
    if (path === "/v1/projects") return [200, [{ ...project, status: platform.status }]];
    if (path === `/v2/projects/${ref}/config`) {
      const set = Object.entries(platform.auth).filter(([, value]) => value !== null);
      return [200, { data: { id: ref, type: "project_config", attributes: { auth: Object.fromEntries(set) } } }];
    }
    if (method === "PATCH" && path === `/v1/projects/${ref}/config/auth`)
      return [200, Object.assign(platform.auth, JSON.parse(body) as Record<string, unknown>)];
    return [200, path === `/v1/projects/${ref}` ? project : {}];
  };
  // oxlint-disable-next-line typescript/no-misused-promises -- an error becomes an unhandled rejection, which fails the run
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://platform");
    const body = await text(request);
    const answer = await platform.answer?.({ route: `${request.method} ${path}`, query, body });
    if (answer) {
      const [status, content] = answer;
      response.writeHead(status, { "content-type": status >= 400 ? "application/problem+json" : "application/json" });
      response.end(JSON.stringify(content));
      return;
    }
    const found = platform.responses.get(path);
    const [status, content] = /^\/v[12]\//.test(path)
      ? management(request.method!, path, request.headers.authorization, body)
      : found
        ? [found.status, found.body]
        : [404, { code: "NOT_FOUND", message: "Requested function was not found" }];
    response
      .writeHead(status, { "content-type": found?.contentType ?? "application/json", ...found?.headers })
      .end(JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = join(folder, "profile.yaml");
  writeFileSync(
    profile,
    `name: test\napi_url: ${address}\ndashboard_url: ${address}\ndocs_url: ${address}\nproject_host: supabase.co\n`,
  );
  return Object.assign(platform, {
    address,
    environment: {
      SUPABASE_PROFILE: profile,
      SUPABASE_ACCESS_TOKEN: token,
      SUPABASE_HOME: join(folder, "home"),
      SUPABASE_WORKDIR: folder,
    },
    stop: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

const token = `sbp_${"0".repeat(40)}`;
