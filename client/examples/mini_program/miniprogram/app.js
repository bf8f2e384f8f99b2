// The configuration of the example. The address must be among the request domains of the mini program, except in the developer tools.
const { openStore } = require("./build/store.js");

const FUNCTIONS_URL = "http://127.0.0.1:54321/functions/v1";

App({
  onLaunch({ query }) {
    // A share link has ?spread=<uid>. The code on a share poster has the scene spread=<uid>.
    const scene = decodeURIComponent(query.scene || "");
    this.store = openStore(FUNCTIONS_URL, query.spread || (scene.match(/^spread=(\d+)$/) || [])[1]);
  },
});
