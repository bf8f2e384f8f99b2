import { ConfigUnreachable } from "../../../shared/config.ts";
import { PageNotLoaded } from "../../../shared/load_page.ts";
import { useServerIsBack } from "../../../shared/server_is_back.ts";
import styles from "./start_failure.module.css";

/** Shown when the page cannot read its configuration, before a language is known. */
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
    <main className={styles.page}>
      <h1>
        没有网络 <span lang="en">No connection</span>
      </h1>
      <p role="status">
        无法连接服务器。网络恢复后会自动打开。
        <span lang="en">The server cannot be reached. The page opens automatically when the connection is back.</span>
      </p>
      <p>
        <button type="button" onClick={ask}>
          重试 · Try again
        </button>
      </p>
    </main>
  );
}

function WrongConfig({ error }: { error: unknown }) {
  return (
    <main className={styles.page}>
      <h1>
        页面无法启动 <span lang="en">The page cannot start</span>
      </h1>
      <p lang="en">
        <code>config.json</code> beside this page must give <code>supabase_url</code> and <code>publishable_key</code>{" "}
        of the store.
      </p>
      <pre>{String(error)}</pre>
      <p>
        <button type="button" onClick={() => location.reload()}>
          重试 · Try again
        </button>
      </p>
    </main>
  );
}
