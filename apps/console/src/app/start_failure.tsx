import { ConfigUnreachable } from "../../../shared/config.ts";
import { PageNotLoaded } from "../../../shared/load_page.ts";
import { useServerIsBack } from "../../../shared/server_is_back.ts";

/** Shown when the console cannot read its configuration, before a language or theme is known. */
export function StartFailure({ error }: { error: unknown }) {
  return error instanceof ConfigUnreachable || error instanceof PageNotLoaded ? (
    <NoConnection />
  ) : (
    <WrongConfig error={error} />
  );
}

function NoConnection() {
  const { ask } = useServerIsBack();
  return (
    <main className="start-failure">
      <h1>No connection</h1>
      <p role="status">
        The console cannot reach its server. It opens automatically when the connection is back.{" "}
        <span lang="zh-CN">无法连接服务器。网络恢复后会自动打开。</span>
      </p>
      <p>
        <button type="button" onClick={ask}>
          Try again · 重试
        </button>
      </p>
    </main>
  );
}

function WrongConfig({ error }: { error: unknown }) {
  return (
    <main className="start-failure">
      <h1>The console cannot start</h1>
      <p lang="zh-CN">管理后台无法启动。</p>
      <p>
        <code>config.json</code> beside this page must give <code>supabase_url</code> and <code>publishable_key</code>{" "}
        of the store.
      </p>
      <pre>{String(error)}</pre>
      <p>
        <button type="button" onClick={() => location.reload()}>
          Try again · 重试
        </button>
      </p>
    </main>
  );
}
