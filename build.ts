/**
 * Builds dist/brokerbase: the console first, then its files, the API explorer and Litestream packed into one
 * executable. Run it by `bun build.ts`; litestream.ts explains which Litestream it takes. Without one everything but
 * continuous replication works.
 */
import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { countScripts, shareChunk } from './admin-ui/chunks.ts'
import { type Engine, findEngine, listModules } from './litestream.ts'
import { listPackages, type Notice, readNotices, textsIn, withDependencies, written } from './src/licenses/collect.ts'
// this import throws, before anything is built, if a file in `migrations/` is not named like a migration
import './src/platform/db/migrations.ts'
import type { Asset, Embedded, PackedBinary } from './src/platform/embedded.ts'
import { TABLES } from './src/platform/packed-tables.ts'
import { MOST_MEGABYTES } from './src/testing/executable.ts'

const root = import.meta.dir
const assetsDir = join(root, 'dist/assets')
const embedDir = join(root, 'dist/embed')
const outfile = join(root, 'dist/brokerbase')

const FIRST_LOAD_LIMIT = 300 * 1024
const SCRIPTS_LIMIT = 25
/** For a server that runs from source: no executable, and files are packed as fast as possible. */
const CONSOLE_ONLY = process.argv.includes('--console-only')
/** Every browser of the last ten years accepts Brotli; for other clients the server unpacks a file once. */
const BROTLI_ONLY = true

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const SERVER = {
  target: 'bun',
  format: 'esm',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  // ssh2 works without these compiled parts
  external: ['cpu-features', '*/sshcrypto.node'],
} as const satisfies Partial<Bun.BuildConfig>

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

const commit = (): string => {
  // A container build has no .git and passes the commit instead.
  if (process.env.BUILD_COMMIT) return process.env.BUILD_COMMIT
  const git = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], {
    cwd: root,
    stderr: 'ignore',
  })
  return git.success ? git.stdout.toString().trim() : 'unknown'
}

/** Writes one file in the encodings that it is served in; paths in the result are relative to dist/assets. */
const pack = async (
  path: string,
  bytes: Uint8Array,
  immutable: boolean,
  { quality = 11, brotliOnly = false } = {},
): Promise<Asset> => {
  const target = join(assetsDir, path)
  mkdirSync(dirname(target), { recursive: true })
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const etag = sha256(bytes).slice(0, 16)
  if (/^(image\/png|font)/.test(type)) {
    writeFileSync(target, bytes)
    return { type, etag, immutable, bodies: { identity: path } }
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: CONSOLE_ONLY ? constants.BROTLI_MIN_QUALITY : quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([
    brotliAsync(bytes, { params }),
    brotliOnly ? undefined : gzipAsync(bytes, { level: 9 }),
  ])
  writeFileSync(`${target}.br`, br)
  if (gz === undefined) return { type, etag, immutable, bodies: { br: `${path}.br` } }
  writeFileSync(`${target}.gz`, gz)
  return {
    type,
    etag,
    immutable,
    bodies: { br: `${path}.br`, gzip: `${path}.gz` },
  }
}

type Bundle = {
  files: Map<string, Uint8Array>
  entry: string
  boot: string
  css: string[]
  preload: string[]
  /** The source files of the bundle. */
  inputs: string[]
}

const buildConsole = (plugins: Bun.BunPlugin[]): Promise<Bun.BuildOutput> =>
  Bun.build({
    plugins,
    entrypoints: [join(root, 'admin-ui/main.ts'), join(root, 'admin-ui/boot.ts')],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    metafile: true,
    naming: {
      entry: '[name]-[hash].[ext]',
      chunk: 'chunk-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  })

const bundleConsole = async (): Promise<Bundle> => {
  const { metafile } = await buildConsole([])
  const result = await buildConsole(metafile ? [shareChunk(metafile)] : [])
  for (const [page, scripts] of countScripts(result.metafile?.outputs ?? {}))
    if (scripts > SCRIPTS_LIMIT) throw new Error(`${page} needs ${scripts} scripts, more than ${SCRIPTS_LIMIT}`)
  const files = new Map<string, Uint8Array>()
  for (const output of result.outputs) files.set(basename(output.path), new Uint8Array(await output.arrayBuffer()))
  const find = (start: string, end: string): string => {
    const name = [...files.keys()].find((file) => file.startsWith(start) && file.endsWith(end))
    if (!name) throw new Error(`the console bundle has no ${start}*${end}`)
    return name
  }
  const outputs = new Map(
    Object.entries(result.metafile?.outputs ?? {}).map(([path, output]) => [basename(path), output] as const),
  )
  const entry = find('main-', '.js')
  const preload = new Set<string>()
  const follow = (name: string): void => {
    for (const imported of outputs.get(name)?.imports ?? []) {
      const chunk = basename(imported.path)
      const isStart = outputs.get(chunk)?.entryPoint?.endsWith('admin-ui/start.tsx') === true
      if ((imported.kind !== 'import-statement' && !isStart) || preload.has(chunk) || !files.has(chunk)) continue
      preload.add(chunk)
      follow(chunk)
    }
  }
  follow(entry)
  return {
    files,
    entry,
    boot: find('boot-', '.js'),
    css: [...files.keys()].filter((name) => name.endsWith('.css')),
    preload: [...preload],
    inputs: Object.keys(result.metafile?.inputs ?? {}),
  }
}

const buildUi = async (): Promise<{
  ui: Record<string, Asset>
  firstLoad: number
  inputs: string[]
}> => {
  const bundle = await bundleConsole()
  const icon = readFileSync(join(root, 'admin-ui/favicon.svg'))
  const iconName = `favicon-${sha256(icon).slice(0, 8)}.svg`
  bundle.files.set(iconName, icon)
  const at = (name: string): string => `/admin/assets/${name}`
  const head = [
    `<link rel="icon" href="${at(iconName)}" type="image/svg+xml">`,
    `<script src="${at(bundle.boot)}"></script>`,
    ...bundle.css.map((name) => `<link rel="stylesheet" href="${at(name)}">`),
    ...bundle.preload.map((name) => `<link rel="modulepreload" href="${at(name)}">`),
    `<script type="module" src="${at(bundle.entry)}"></script>`,
  ]
  const html = readFileSync(join(root, 'admin-ui/index.html'), 'utf8').replace('<!-- assets -->', head.join('\n    '))
  const index = new TextEncoder().encode(html)

  const names = [...bundle.files.keys()]
  const packed = await Promise.all(
    [...bundle.files].map(([name, bytes]) =>
      pack(join('ui', name), bytes, name !== 'index.html', { brotliOnly: BROTLI_ONLY }),
    ),
  )
  const ui = Object.fromEntries(packed.map((asset, i) => [`assets/${names[i]}`, asset]))
  // index.html is rewritten with a fresh CSP nonce for each answer, so it is kept as it is.
  writeFileSync(join(assetsDir, 'ui/index.html'), index)
  ui['index.html'] = {
    type: 'text/html; charset=utf-8',
    etag: sha256(index).slice(0, 16),
    immutable: false,
    bodies: { identity: 'ui/index.html' },
  }
  const firstLoad = [bundle.entry, bundle.boot, iconName, ...bundle.css, ...bundle.preload]
    .map((name) => Bun.file(join(assetsDir, 'ui', `${name}.br`)).size)
    .reduce((sum, size) => sum + size, index.length)
  return { ui, firstLoad, inputs: bundle.inputs }
}

const buildDocs = async (): Promise<Record<string, Asset>> => {
  const scalar = readFileSync(join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'))
  const init = readFileSync(join(root, 'admin-ui/explorer.js'))
  const scalarName = `assets/scalar-${sha256(scalar).slice(0, 8)}.js`
  const initName = `assets/explorer-${sha256(init).slice(0, 8)}.js`
  const html = readFileSync(join(root, 'admin-ui/explorer.html'), 'utf8')
    .replace('<!-- scalar -->', `<script src="/docs/${scalarName}"></script>`)
    .replace('<!-- init -->', `<script src="/docs/${initName}"></script>`)
  // For the explorer, quality 10 is twice as fast as 11, and 2 % larger; 9 is instant, and 86 KB larger.
  const brotliOnly = BROTLI_ONLY
  return {
    'index.html': await pack('docs/index.html', new TextEncoder().encode(html), false, { brotliOnly }),
    [scalarName]: await pack(join('docs', scalarName), scalar, true, { quality: 10, brotliOnly }),
    [initName]: await pack(join('docs', initName), init, true, { brotliOnly }),
  }
}

const packLitestream = async (engine: Engine | null): Promise<PackedBinary | null> => {
  if (engine === null) return null
  const { bytes, sha256, version, sqlite } = engine
  // level 19 takes eighteen seconds and saves 0.7 MB compared with 16, so the next build finds its result here
  const kept = join(root, `dist/tools/${sha256}.zst`)
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(`${kept}.partial`, await Bun.zstdCompress(bytes, { level: 19 }))
    renameSync(`${kept}.partial`, kept)
  }
  copyFileSync(kept, join(assetsDir, 'litestream.zst'))
  return { path: 'litestream.zst', encoding: 'zstd', size: bytes.length, sha256, version, sqlite }
}

/** Packs the large tables; paths in the result are relative to dist/assets. */
const packTables = async (): Promise<Embedded['tables']> => {
  const paths = await Promise.all(
    Object.entries(TABLES).map(async ([name, make]) => {
      const path = `${name}.zst`
      writeFileSync(join(assetsDir, path), await Bun.zstdCompress(make(), { level: 19 }))
      return [name, path] as const
    }),
  )
  return Object.fromEntries(paths)
}

/** Returns the source files of the server and its tables; its own bundle cannot list them, as it has their licences. */
const serverInputs = async (): Promise<string[]> => {
  const entrypoints = ['src/main.ts', 'src/platform/packed-tables.ts'].map((path) => join(root, path))
  const { metafile } = await Bun.build({ ...SERVER, entrypoints, metafile: true })
  return Object.keys(metafile?.inputs ?? {})
}

/** Packs the terms of everything in the executable that others made; the path is relative to dist/assets. */
const packNotices = async (consoleInputs: string[], engine: Engine | null): Promise<string> => {
  const directories = [
    ...listPackages([...consoleInputs, ...(await serverInputs())].map((path) => join(root, path))),
    ...withDependencies(join(root, 'node_modules/@scalar/api-reference')),
  ]
  const kept = (name: string): string => readFileSync(join(root, `src/licenses/${name}.txt`), 'utf8').trim()
  const sqlite = new Database(':memory:').query<{ version: string }, []>('SELECT sqlite_version() AS version').get()
  const bun: Notice = { name: 'Bun', version: Bun.version, license: 'MIT', texts: [kept('bun')] }
  const domain = { license: 'public domain', texts: [kept('sqlite')] }
  const others: Notice[] = [bun, { name: 'SQLite of Bun', version: sqlite?.version ?? '', ...domain }]
  if (engine !== null)
    others.push(
      { name: 'Litestream', version: engine.version, license: 'Apache-2.0', texts: [kept('litestream')] },
      { name: 'SQLite of Litestream', version: engine.sqlite, ...domain },
      ...listModules(engine.bytes).map(({ name, version, source }) => ({
        name: name === 'Go' ? name : `${name} (of Litestream)`,
        version,
        license: 'see its text',
        texts: source ? textsIn(source) : [`Its terms are in its source: https://pkg.go.dev/${name}?tab=licenses`],
      })),
    )
  const text = written([...others, ...readNotices(directories)])
  const packed = await Bun.zstdCompress(text, { level: 19 })
  writeFileSync(join(assetsDir, 'notices.zst'), packed)
  print(`notices      ${kib(packed.length)} packed, ${kib(text.length)}`)
  return 'notices.zst'
}

/** The executable's entry: imports every packed file so that Bun embeds it, registers them, then runs main.ts. */
const writeEntry = (manifest: Embedded): string => {
  mkdirSync(embedDir, { recursive: true })
  const imports: string[] = []
  const embed = (path: string): string => {
    const name = `file${imports.length}`
    const from = relative(embedDir, join(assetsDir, path))
    imports.push(`import ${name} from ${JSON.stringify(from)} with { type: 'file' }`)
    return name
  }
  const literal = (value: unknown): string => JSON.stringify(value)
  const group = (assets: Embedded['ui']): string =>
    `{${Object.entries(assets)
      .map(([name, { bodies, ...asset }]) => {
        const paths = Object.entries(bodies).map(([encoding, path]) => `${encoding}: ${embed(path)}`)
        return `${literal(name)}: { ...${literal(asset)}, bodies: { ${paths.join(', ')} } }`
      })
      .join(',\n')}}`
  const { litestream } = manifest
  const tables = Object.entries(manifest.tables).map(([name, path]) => `${literal(name)}: ${embed(path)}`)
  const packed = litestream ? `{ ...${literal(litestream)}, path: ${embed(litestream.path)} }` : 'null'
  const register = [
    `registerEmbedded({ commit: ${literal(manifest.commit)},`,
    `notices: ${manifest.notices === null ? 'null' : embed(manifest.notices)},`,
    `tables: { ${tables.join(', ')} },`,
    `ui: ${group(manifest.ui)},`,
    `docs: ${group(manifest.docs)},`,
    `litestream: ${packed} })`,
  ].join('\n')
  writeFileSync(
    join(embedDir, 'register.ts'),
    `import { registerEmbedded } from '../../src/platform/embedded.ts'\n${imports.join('\n')}\n${register}\n`,
  )
  const entry = join(embedDir, 'entry.ts')
  writeFileSync(entry, `import './register.ts'\nimport '../../src/main.ts'\n`)
  return entry
}

/**
 * Makes ordinary comments of those that the bundler would keep, which name the authors of packages; `packNotices` keeps
 * their terms. One letter outside of Latin-1 in the bundle makes Bun store all of it in two bytes a letter (4 MB).
 */
const plainComments: Bun.BunPlugin = {
  name: 'plain-comments',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path, loader }) => {
      const text = await Bun.file(path).text()
      return { loader, contents: text.replace(/^(\s*\/[*/])!/gm, '$1') }
    })
  },
}

const compile = async (entry: string): Promise<void> => {
  await Bun.build({
    ...SERVER,
    plugins: [plainComments],
    entrypoints: [entry],
    // Bytecode takes 13 MB, and the first answer comes after 110 ms instead of 180.
    bytecode: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  })
  chmodSync(outfile, 0o755)
}

// a server from source may be serving these files, so they stay until there is another manifest
if (!CONSOLE_ONLY) rmSync(assetsDir, { recursive: true, force: true })
rmSync(embedDir, { recursive: true, force: true })
mkdirSync(assetsDir, { recursive: true })

const engine = findEngine()
const litestream = packLitestream(engine)
const docs = await buildDocs()
const tables = CONSOLE_ONLY ? {} : await packTables()
const { ui, firstLoad, inputs } = await buildUi()
const notices = CONSOLE_ONLY ? null : await packNotices(inputs, engine)
const manifest: Embedded = { commit: commit(), notices, tables, ui, docs, litestream: await litestream }
writeFileSync(join(assetsDir, 'manifest.json.partial'), JSON.stringify(manifest))
renameSync(join(assetsDir, 'manifest.json.partial'), join(assetsDir, 'manifest.json'))
print(`console      ${CONSOLE_ONLY ? '' : `${kib(firstLoad)} first load, `}${Object.keys(ui).length} files`)
print(
  manifest.litestream
    ? `litestream   ${manifest.litestream.version} with SQLite ${manifest.litestream.sqlite}`
    : 'litestream   none: this build cannot replicate; `bun run litestream` makes one where Go is there',
)

if (!CONSOLE_ONLY) {
  await compile(writeEntry(manifest))
  const { size } = Bun.file(outfile)
  print(`executable   dist/brokerbase ${(size / 1e6).toFixed(1)} MB, ${manifest.commit}`)
  if (size > MOST_MEGABYTES * 1e6) throw new Error(`the executable is over ${MOST_MEGABYTES} MB`)
}
if (!CONSOLE_ONLY && firstLoad > FIRST_LOAD_LIMIT)
  throw new Error(`the console's first load is over ${kib(FIRST_LOAD_LIMIT)}`)
