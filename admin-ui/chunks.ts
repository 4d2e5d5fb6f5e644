import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')

/** A chunk below this many bytes costs more as a request of its own than inside another chunk. */
const SMALL = 4096

type Outputs = NonNullable<Bun.BuildOutput['metafile']>['outputs']

/** Returns the chunks that a chunk needs before it runs, itself included. */
const findChunks = (outputs: Outputs, path: string, found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found
  found.add(path)
  for (const { kind, path: imported } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement' && outputs[imported]) findChunks(outputs, imported, found)
  return found
}

/** Returns whether an entry is a page behind sign-in: a file of a feature, but neither a sign-in page nor a chart. */
const isPage = (entry: string): boolean =>
  entry.startsWith('admin-ui/features/') && !/\/firm\/auth\/|bars\.tsx$|chart\.tsx$/.test(entry)

/** Returns how many scripts each page needs, including those of the first load. */
export const countScripts = (outputs: Outputs): [page: string, scripts: number][] => {
  const entries = Object.entries(outputs)
  const find = (file: string): string[] =>
    entries.flatMap(([path, { entryPoint }]) => (entryPoint === file ? [path] : []))
  const always = ['admin-ui/boot.ts', 'admin-ui/main.ts', 'admin-ui/start.tsx'].flatMap(find)
  return entries.flatMap(([path, { entryPoint }]) => {
    if (!entryPoint || !isPage(entryPoint)) return []
    const scripts = new Set([...always, path].flatMap((one) => [...findChunks(outputs, one)]))
    return [[entryPoint, scripts.size]]
  })
}

/**
 * Puts modules that at least three pages share (two for small ones) into one chunk, which every page imports. Bun makes
 * a chunk for each set of pages that share a module, most below 2 KiB, so a client's page needed 95 requests.
 */
export const shareChunk = ({ outputs }: { outputs: Outputs }): Bun.BunPlugin => {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint ? [{ path, entryPoint }] : [],
  )
  const pages = entries.filter(({ entryPoint }) => isPage(entryPoint))
  const start = entries.find(({ entryPoint }) => entryPoint === 'admin-ui/start.tsx')
  const first = start ? findChunks(outputs, start.path) : new Set<string>()
  const needs = entries.flatMap(({ path }) => [...findChunks(outputs, path)].filter((chunk) => !first.has(chunk)))
  const shared = Object.entries(outputs).filter(([path, { entryPoint, bytes }]) => {
    const pagesWithIt = needs.filter((one) => one === path).length
    return !entryPoint && pagesWithIt >= (bytes < SMALL ? 2 : 3)
  })
  const modules = shared.flatMap(([, { inputs }]) => Object.keys(inputs)).filter((path) => /\.[jt]sx?$/.test(path))
  const paths = new Set(pages.map(({ entryPoint }) => join(ROOT, entryPoint)))
  return {
    name: 'shared-chunk',
    setup: (build) => {
      build.onResolve({ filter: /^shared-by-pages$/ }, () => ({ path: 'shared', namespace: 'pages' }))
      build.onLoad({ filter: /./, namespace: 'pages' }, () => ({
        loader: 'js',
        contents: modules.map((path) => `import ${JSON.stringify(join(ROOT, path))}`).join('\n'),
      }))
      build.onLoad({ filter: /\.tsx$/ }, async ({ path }) =>
        paths.has(path)
          ? { loader: 'tsx', contents: `import 'shared-by-pages'\n${await Bun.file(path).text()}` }
          : undefined,
      )
    },
  }
}
