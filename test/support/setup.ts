import ws from "ws";

// Node 20 has no WebSocket, and supabase-js requires one even if Realtime is not used.
globalThis.WebSocket ??= ws as unknown as typeof WebSocket;
