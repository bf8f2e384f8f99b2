import ws from "ws";

// Node 20 has no WebSocket, and supabase-js wants one even where Realtime is never used.
globalThis.WebSocket ??= ws as unknown as typeof WebSocket;
