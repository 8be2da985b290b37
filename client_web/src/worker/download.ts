// Counts the bytes of known files while they arrive, whoever fetches them. The original response is handed on untouched, so that the browser can
// compile WebAssembly while it streams and keep the compiled code; a copy is counted.

export class NetworkError extends Error {}

/** Watches `fetch` for the given URLs (path to size). The promise rejects with the first file that cannot be loaded, and never resolves. */
export function countDownloads(sizes: Record<string, number>, progress: (loaded: number, total: number) => void): Promise<never> {
  const original = self.fetch.bind(self);
  const loaded = new Map<string, number>();
  let wanted = new Set<string>();
  let reject: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, no) => (reject = no));

  const report = () => {
    const sum = [...loaded.values()].reduce((a, b) => a + b, 0);
    progress(sum, [...wanted].reduce((total, path) => total + (sizes[path] ?? 0), 0));
  };
  const count = async (path: string, response: Response) => {
    const reader = response.body?.getReader();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      loaded.set(path, (loaded.get(path) ?? 0) + chunk.value.length);
      report();
    }
  };

  self.fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : String(input), self.location.href).pathname;
    if (!(path in sizes)) return original(input, init);
    wanted.add(path);
    const response = await original(input, init).catch((error: unknown) => {
      const failure = new NetworkError(`${path}: ${String(error)}`);
      reject(failure);
      throw failure;
    });
    if (!response.ok) {
      const failure = new NetworkError(`${path}: ${response.status} ${response.statusText}`);
      reject(failure);
      throw failure;
    }
    count(path, response.clone()).catch((error: unknown) => reject(new NetworkError(`${path}: ${String(error)}`)));
    return response;
  };
  wanted = new Set(Object.keys(sizes).filter((path) => !path.endsWith(".mjs"))); // modules are imported, not fetched
  return failed;
}
