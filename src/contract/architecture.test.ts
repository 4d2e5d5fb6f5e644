import { beforeAll, describe, expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

type Source = {
  /** The path from the root of the repository, such as `src/modules/books/deposits/deposits.routes.ts`. */
  path: string
  text: string
  lines: number
  /**
   * The imports that are loaded at run time, and the imports of types only. Files of the repository are named by their
   * path from the root, packages by their name.
   */
  loads: string[]
  names: string[]
}

const root = join(import.meta.dir, '../..')
const transpiler = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

async function read(path: string): Promise<Source> {
  const text = await Bun.file(join(root, path)).text()
  const own = (target: string): string =>
    target.startsWith('.') ? relative(root, join(root, dirname(path), target)) : target
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    loads: transpiler[path.endsWith('x') ? 'tsx' : 'ts'].scanImports(text).map((item) => own(item.path)),
    names: [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, target = '']) => own(target)),
  }
}

let sources: Source[]
beforeAll(async () => {
  const paths: string[] = []
  for (const directory of ['src', 'admin-ui'])
    for await (const path of new Bun.Glob(`${directory}/**/*.{ts,tsx}`).scan(root))
      if (!path.endsWith('.d.ts')) paths.push(path)
  sources = await Promise.all(paths.sort().map(read))
})

const isTest = ({ path }: Source): boolean => /\.test\.tsx?$/.test(path) || path.startsWith('src/contract/')
/** Returns the product sources below a folder, without tests. */
const below = (folder: string): Source[] =>
  sources.filter((source) => source.path.startsWith(folder) && !isTest(source))
/** Returns `file: finding` for all that a rule finds in these sources. */
const breaches = (of: readonly Source[], rule: (source: Source) => readonly string[]): string[] =>
  of.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`))
const findArea = (path: string): string | undefined => /^src\/modules\/[^/]+\/([^/]+)\//.exec(path)?.[1]

describe('imports point one way', () => {
  test('the platform imports no module', () => {
    const upward = breaches(below('src/platform/'), ({ names }) =>
      names.filter((target) => target.startsWith('src/') && !/^src\/(platform\/|words\/|config\.ts$)/.test(target)),
    )
    expect(upward).toEqual([])
  })

  test('modules import the platform and one another, and nothing above them', () => {
    const upward = breaches(below('src/modules/'), ({ names }) =>
      names.filter((target) => target.startsWith('src/') && !/^src\/(platform|modules|words)\//.test(target)),
    )
    expect(upward).toEqual([])
  })

  test('no file imports another module’s routes or jobs', () => {
    const intruders = breaches(below('src/modules/'), ({ path, names }) =>
      names.filter(
        (target) =>
          /\.(routes|jobs)\.ts$/.test(target) && findArea(target) !== undefined && findArea(target) !== findArea(path),
      ),
    )
    expect(intruders).toEqual([])
  })

  test('Elysia is imported in routes and in the platform only', () => {
    const users = breaches(below('src/modules/'), ({ path, loads }) =>
      path.endsWith('.routes.ts') ? [] : loads.filter((target) => target === 'elysia'),
    )
    expect(users).toEqual([])
  })

  test('the console takes types and words of the server and nothing that runs', () => {
    const loaded = breaches(
      sources.filter(({ path }) => path.startsWith('admin-ui/')),
      ({ loads }) => loads.filter((target) => target.startsWith('src/') && !target.startsWith('src/words/')),
    )
    expect(loaded).toEqual([])
  })

  test('no product source loads a test, a fake or the bench', () => {
    const product = sources.filter((source) => !isTest(source) && !/^src\/(testing|bench)\//.test(source.path))
    expect(
      breaches(product, ({ names }) =>
        names.filter((target) => /^src\/(testing|bench|contract)\/|\.test\.ts/.test(target)),
      ),
    ).toEqual([])
  })
})

describe('the database is reached one way', () => {
  // what runs in a child opens its own read-only connection
  const isTask = ({ path }: Source): boolean => path.endsWith('.tasks.ts')

  test('only the platform, commands and tests open connections', () => {
    const openers = breaches(
      below('src/').filter(
        (source) => !/^src\/(platform|testing|bench|commands)\//.test(source.path) && !isTask(source),
      ),
      ({ loads }) => loads.filter((target) => target === 'bun:sqlite' || target === 'src/platform/sqlite.ts'),
    )
    expect(openers).toEqual([])
  })

  test('modules import the platform and its writer in jobs only', () => {
    const holders = breaches(
      below('src/modules/').filter(({ path }) => !path.endsWith('.jobs.ts')),
      ({ names }) => names.filter((target) => /^src\/platform\/(platform|db\/writer(-[a-z]+)?)\.ts$/.test(target)),
    )
    expect(holders).toEqual([])
  })

  /** Lists the files of modules that read across tenants by the directory's look-ups, each with its reason. */
  const BEYOND: Readonly<Record<string, string>> = {
    'src/modules/growth/ads/ads.webhook.ts':
      'a notification names pages and no firm; whose secret signed it is whose it is',
    'src/modules/firm/auth/auth.administrator.ts': 'a command on the machine knows no firm before the password',
    'src/modules/firm/auth/auth.login.ts': 'who signs in is nobody yet',
    'src/modules/firm/auth/auth.lookup.ts': 'nobody is signed in: an address or a link tells the tenant',
    'src/modules/firm/auth/auth.mailed-links.ts': 'who forgot the password or was invited is nobody yet',
    'src/modules/base/files/files.service.ts': 'a signed address and a public file tell their tenant',
    'src/modules/terminals/accounts/reveal-passwords.ts': 'nobody is signed in: a mailed link tells the tenant',
    'src/modules/books/psp/psp.service.ts': 'a gateway’s id tells its tenant, its signature is the proof',
    'src/modules/box/setup/setup.routes.ts': 'whether there is any tenant yet, and founding the first',
    'src/modules/firm/tenants/tenants.service.ts': 'tenants are in no tenant',
  }

  test('every file that reads across tenants is listed with its reason', () => {
    const beyond = /\b(BoxCtx|Directory)\b|\bctx\.(directory|enter|visit|founding|writeAcross)\b/
    const found = below('src/modules/').flatMap(({ path, text }) =>
      !path.endsWith('.jobs.ts') && beyond.test(text) ? [path] : [],
    )
    // an entry that is no longer needed is refused too, since it would hide the next file of this name
    expect(found).toEqual(Object.keys(BEYOND).toSorted())
  })

  /** Lists the statements that mention a tenant without being limited to it, each with its reason. */
  const UNBOUND: Readonly<Record<string, string>> = {
    'src/modules/clients/audit/audit.jobs.ts': 'what jobs remember is in no tenant',
    'src/modules/books/fx/fx.confirmation.ts': 'the administrators of the pool of rates sit in any firm',
    'src/modules/books/fx/fx.service.ts': 'the pool of rates is in no tenant',
  }

  test('a module with a statement that names its tenant without being limited to it is listed with its reason', () => {
    const found = below('src/modules/').flatMap(({ path, text }) => (text.includes("?1 <> ''") ? [path] : []))
    expect(found).toEqual(Object.keys(UNBOUND).toSorted())
  })

  test('the table of tenants is read in one file', () => {
    const askers = below('src/').filter(
      ({ path, text }) => !/^src\/(testing|bench)\//.test(path) && /\b(FROM|JOIN)\s+tenants\b/i.test(text),
    )
    // this file has no SQL text for it, only Drizzle's table, which is not exported
    expect(askers.map(({ path }) => path)).toEqual([])
    expect(breaches(below('src/'), ({ text }) => text.match(/sqliteTable\('tenants'/g) ?? [])).toEqual([
      "src/platform/db/directory.ts: sqliteTable('tenants'",
    ])
  })

  test('SQL of modules is made of declared columns; SQL as text is only about tables without a declaration', () => {
    const text = /(?<!sql)[`'](?:SELECT|UPDATE|DELETE)\b[^`']*?\b(?:FROM|UPDATE) (\w+)|(?<!sql)[`']UPDATE (\w+)/g
    const tables = below('src/modules/').flatMap((source) =>
      [...source.text.matchAll(text)].map(([, from, updated]) => from ?? updated ?? ''),
    )
    // `main` is here because the views of the SQL page are made from every table that the page may read
    expect([...new Set(tables)].sort()).toEqual(['file_usage', 'files', 'job_state', 'link_mails', 'main', 'tenants'])
  })

  test('Drizzle’s transaction, which commits before it throws, is used nowhere', () => {
    expect(breaches(below('src/'), ({ text }) => text.match(/\.transaction\(/g) ?? [])).toEqual([])
  })
})

describe('one place for each dangerous thing', () => {
  const product = (): Source[] => below('src/').filter(({ path }) => !/^src\/(testing|bench)\//.test(path))

  test('the environment is read by config.ts', () => {
    const readers = product().filter(
      ({ path, text }) => path !== 'src/config.ts' && /\b(process|Bun|import\.meta)\.env\b/.test(text),
    )
    expect(readers.map(({ path }) => path)).toEqual([])
  })

  test('calls to other machines go through egress.ts', () => {
    // These call no outside service: two ask the server on this machine, a standby asks its primary for the time, and
    // the doctor asks whether the mail server listens. The sockets of the engine and of a standby are files, and SFTP
    // reaches the operator's own host. Reading a certificate or an address calls nothing. A terminal keeps its session
    // on one connection, whose address is checked by egress.ts.
    const ALLOWED = new Set([
      'src/platform/egress-attempt.ts',
      'src/platform/egress-networks.ts',
      'src/platform/egress-resolve.ts',
      'src/platform/trusted-socket.ts',
      'src/platform/mail.ts',
      'src/commands/health.ts',
      'src/commands/standby-control.ts',
      'src/commands/doctor/outside.ts',
      'src/platform/replication/engine-control.ts',
      'src/platform/standby/primary-signs.ts',
      'src/platform/replication/sftp-connection.ts',
      'src/platform/tls/certificate.ts',
      'src/modules/terminals/simulator/simulator.server.ts',
      'src/modules/terminals/terminal5/terminal5.dial.ts',
      'src/modules/terminals/terminal5/terminal5.transport.ts',
    ])
    const callers = breaches(product(), ({ path, text, loads }) =>
      ALLOWED.has(path)
        ? []
        : [
            ...(text.match(/(?<![.\w])fetch\(/g) ?? []),
            ...loads.filter((target) =>
              /^(node:)?(http|https|net|tls|dgram|http2)$|^(nodemailer|axios|undici)/.test(target),
            ),
          ],
    )
    expect(callers).toEqual([])
  })

  test('money is never a float: no parseFloat, no Number() of an amount, no arithmetic on one', () => {
    const amount =
      /\b(parseFloat|Number)\([^)]*\b(\w*[aA]mount|balance|equity|available|held|profit|swap|commission|minor|rate)\b/g
    expect(
      breaches([...below('src/modules/'), ...below('src/platform/http/')], ({ text }) => [
        ...(text.match(/\bparseFloat\(/g) ?? []),
        ...(text.match(amount) ?? []),
      ]),
    ).toEqual([])
    expect(breaches(below('admin-ui/'), ({ text }) => text.match(/\bparseFloat\(/g) ?? [])).toEqual([])
  })

  test('the time is read from the clock of the context, not from the machine', () => {
    const askers = breaches(below('src/modules/'), ({ text }) => text.match(/\bDate\.now\(|\bnew Date\(\)/g) ?? [])
    expect(askers).toEqual([])
  })

  test('passwords are hashed in one file, and no secret is compared with ===', () => {
    const hashers = below('src/').filter(
      ({ loads, path }) => loads.includes('@node-rs/argon2') && !path.startsWith('src/testing/'),
    )
    expect(hashers.map(({ path }) => path)).toEqual([
      'src/modules/firm/auth/auth.passwords.ts',
      'src/platform/access/api-key.ts',
      // the passphrase here opens the key that is stored beside the replica
      'src/platform/replication/sealed-key.ts',
    ])
    expect(
      breaches(
        below('src/modules/'),
        ({ text }) => text.match(/\b(signature|token|secret)\b\s*[!=]==\s*\w+\.?(signature|token|secret)\b/g) ?? [],
      ),
    ).toEqual([])
  })
})

describe('packages', () => {
  /** Lists the packages that no source imports, and what needs them. */
  const UNIMPORTED: Readonly<Record<string, string>> = {
    '@biomejs/biome': 'a command',
    '@testing-library/dom': 'a peer of @testing-library/react',
    'bun-types': 'types',
    dayjs: 'a peer of @mantine/dates',
  }

  test('every package is imported, or is listed with what needs it', async () => {
    const { dependencies, devDependencies } = await Bun.file(join(root, 'package.json')).json()
    const others = sources.filter(({ path }) => !path.endsWith('architecture.test.ts')).map(({ text }) => text)
    const texts = [...others, await Bun.file(join(root, 'build.ts')).text()].join('\n')
    const isImported = (name: string): boolean => new RegExp(`(['"]|node_modules/)${name}[-/'"]`).test(texts)
    const isNeeded = (name: string): boolean => isImported(name.replace(/^@types\//, ''))
    const unused = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isNeeded(name))
    expect(unused.toSorted()).toEqual(Object.keys(UNIMPORTED).toSorted())
  })
})

describe('sizes', () => {
  test('no source is longer than 400 lines, and half of those of the server have at most 120', () => {
    const long = sources.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)
    expect(long).toEqual([])
    const sorted = below('src/')
      .map(({ lines }) => lines)
      .sort((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
    process.stdout.write(`${sorted.length} sources: median ${at(0.5)} lines, 95 % up to ${at(0.95)}\n`)
    expect(at(0.5)).toBeLessThanOrEqual(120)
  })

  test('no line of a comment is longer than 120 columns', () => {
    const COMMENT = /^\s*(\/\/|\/?\*)/
    const long = breaches(sources, ({ text }) =>
      text.split('\n').flatMap((line, at) => (line.length > 120 && COMMENT.test(line) ? [`line ${at + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  test('there are no barrels and no utils, and names are kebab-case', () => {
    const names = sources.map(({ path }) => path)
    expect(names.filter((path) => /\/(index|utils|helpers|common)\.tsx?$/.test(path))).toEqual([])
    expect(names.filter((path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.[a-z0-9-]+)*\.tsx?$/.test(path))).toEqual([])
  })
})
