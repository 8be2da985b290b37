// What build.mjs puts into the bundles.

declare const ASSETS: {
  python: {
    archive: { url: string; bytes: number; version: string };
    pyodide: { folder: string; bytes: Record<string, number> };
  };
  prolog: string;
};

declare const WORKER: string;

declare module "catalogue:de" {
  const messages: Record<string, string[]>;
  export default messages;
}
