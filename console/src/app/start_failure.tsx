/** What is shown when the console cannot even learn where its store is; before any language or theme is known. */
export function StartFailure({ error }: { error: unknown }) {
  return (
    <main className="start-failure">
      <h1>The console cannot start</h1>
      <p lang="zh-CN">管理后台无法启动。</p>
      <p>
        <code>config.json</code> beside this page must give <code>supabase_url</code> and <code>publishable_key</code> of the store.
      </p>
      <pre>{String(error)}</pre>
      <p>
        <button type="button" onClick={() => location.reload()}>Try again · 重试</button>
      </p>
    </main>
  );
}
