import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Route } from './routes.ts'

const root = join(import.meta.dir, '../..')
type Source = { path: string; text: string }

/** The file that declares what the privacy bundle has of each table. */
export const PRIVACY_PLAN = 'src/modules/overview/privacy/privacy.plan.ts'

let read: Source[] | undefined
/** Returns the modules' sources, without tests. */
function sources(): Source[] {
  read ??= [...new Bun.Glob('src/{modules,platform}/**/*.ts').scanSync(root)]
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return read
}

const lineAt = ({ path, text }: Source, index: number): string => `${path}:${text.slice(0, index).split('\n').length}`

/**
 * Returns the first place where the sources match a pattern, such as `src/modules/clients/support/support.table.ts:31`.
 */
function findPlace(pattern: RegExp): string | undefined {
  for (const source of sources()) {
    const index = source.text.search(pattern)
    if (index >= 0) return lineAt(source, index)
  }
  return undefined
}

/** Returns where a table is declared. */
export const tableAt = (name: string): string => findPlace(new RegExp(`'${name}',\\s*'\\w+',\\s*\\{`)) ?? `a *.table.ts`

/** Returns where a section of the privacy bundle is declared. */
export const sectionAt = (section: string): string =>
  findPlace(new RegExp(`(?<=\\btell\\(\\s*)'${section}'`)) ?? PRIVACY_PLAN

/** Returns where a schema of the API is declared, by its name in the document. */
export const schemaAt = (name: string | undefined): string =>
  findPlace(new RegExp(`(?<=\\bnamed\\(\\s*)'${name?.replace(/Page$/, '')}'`)) ?? 'its module’s *.model.ts'

/** Returns where an operation uses its input: the first write of its handler, else the call, else the route. */
export function takenAt({ operationId, path }: Route): string {
  const declaration = new RegExp(`\\bop\\(\\s*'${operationId}'`)
  const routes = sources().find(({ text }) => declaration.test(text))
  if (!routes) return 'its module’s *.service.ts'
  const end = routes.text.search(declaration)
  const start = routes.text.lastIndexOf(`'${path}'`, end)
  const [, name] = /(\w+)\(\s*ctx\b/.exec(routes.text.slice(start, end)) ?? []
  const declared = new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`, 'm')
  const folder = dirname(routes.path)
  const [service] = sources()
    .filter(({ text }) => declared.test(text))
    .sort((a, b) => Number(b.path.startsWith(folder)) - Number(a.path.startsWith(folder)))
  if (!service) return lineAt(routes, start)
  const from = service.text.search(declared)
  const body = service.text.slice(from, service.text.indexOf('\n}\n', from))
  return lineAt(service, from + Math.max(body.search(/\btx\.(insert|update|transition)\(/), 0))
}
