import eslint from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

// Each rule that is switched off or relaxed has its reason beside it. docs/decisions/0028 says why these linters.

export default defineConfig(
  globalIgnores([
    // Made by tools.
    ".local/",
    "console/dist/",
    "client/types/",
    "functions/_shared/database_types.ts",
    // Imports clients that its test generates, and compiles it with them.
    "test/contract/generated_client/program.ts",
    // Only Deno knows its global `Deno`: `deno check` and `deno lint` read these three, which start what `app.ts` describes.
    "functions/*/index.ts",
  ]),
  {
    files: ["**/*.{js,mjs,ts,tsx}"],
    extends: [eslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { console: "readonly", process: "readonly" } },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      // `return print(…)` ends a function without a value in one line.
      "@typescript-eslint/no-confusing-void-expression": "off",
      // `void` as the input of an action says that it takes none, and `number | void` that a command may return no exit status.
      "@typescript-eslint/no-invalid-void-type": "off",
      // Numbers print as they are. What may be undefined, null or an object may not be put into a text.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // tsc has noUncheckedIndexedAccess, so that an element that is known to be there needs a `!`; no-unnecessary-type-assertion
      // refuses each that is not needed.
      "@typescript-eslint/no-non-null-assertion": "off",
      // The types of Node and of the browser promise what is not always there: the output of a program that could not be started, the
      // width of what is no terminal, `navigator` in Node 20.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // `[...text]` splits by code points, which is what is meant.
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
      // tsc has noUnusedLocals and noUnusedParameters; `_` fills the place of what a pattern skips.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_$", destructuredArrayIgnorePattern: "^_" }],
      // An async function without `await` fits an interface that asks for a promise, and turns what it throws into a rejection.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    // Tests and examples read answers of HTTP and of the database as they come. An answer of another shape fails the expectation; types
    // would state the contract a second time.
    files: ["test/**/*.ts", "client/examples/*.ts"],
    rules: {
      "@typescript-eslint/no-base-to-string": "off",
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unnecessary-type-conversion": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/restrict-plus-operands": ["error", { allowAny: true, allowNumberAndString: true }],
      "@typescript-eslint/restrict-template-expressions": "off",
      "@typescript-eslint/use-unknown-in-catch-callback-variable": "off",
      // Fixtures are destructured (`{ page, request }`), and they are not used as objects.
      "@typescript-eslint/unbound-method": "off",
    },
  },
  {
    files: ["console/src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: {
      // The plugin's other rules ask for what the React Compiler needs, and the console is built without it.
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
    },
  },
);
