import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Something of others that is inside the executable: `license` as it names it, `texts` are of its own files. */
export type Notice = { name: string; version: string; license: string; texts: readonly string[] }

type Manifest = Readonly<Record<string, unknown>>

/** Names of the files in which authors say their terms. */
const TERMS = /^(licen[cs]e|copying|copyright|notice)s?([.-].*)?$/i
/** Of a path up to the package that it lies in: the innermost, for packages have packages of their own. */
const INSIDE = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+(?=\/)/

const isManifest = (value: unknown): value is Manifest => typeof value === 'object' && value !== null

function readPackageManifest(directory: string): Manifest {
  const manifest: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  if (!isManifest(manifest)) throw new Error(`${directory} has no manifest of a package`)
  return manifest
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
/** A field that is a text, or an object with it. */
const field = (value: unknown, key: string): string | undefined =>
  readText(value) ?? (isManifest(value) ? readText(value[key]) : undefined)

/** The texts of a package's files of terms, in the order of their names. */
export function textsIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TERMS.test(entry.name) && !/\.(js|ts|json|go)$/.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n').trim())
}

/** What a package that brings no text of its license says of itself. */
function stated(manifest: Manifest, license: string): string {
  const from = field(manifest.repository, 'url') ?? readText(manifest.homepage)
  const of = field(manifest.author, 'name')
  return [`License: ${license}; the package has no text of it.`, of && `Author: ${of}`, from && `Source: ${from}`]
    .filter(Boolean)
    .join('\n')
}

function readNotice(directory: string): Notice {
  const manifest = readPackageManifest(directory)
  const [first]: unknown[] = Array.isArray(manifest.licenses) ? manifest.licenses : []
  const license = field(manifest.license ?? first, 'type') ?? 'see its text'
  const texts = textsIn(directory)
  return {
    name: readText(manifest.name) ?? directory,
    version: readText(manifest.version) ?? '',
    license,
    texts: texts.length > 0 ? texts : [stated(manifest, license)],
  }
}

/** The directories of the packages that the files of a bundle are of; own files are of none. */
export function listPackages(files: Iterable<string>): Set<string> {
  return new Set([...files].flatMap((file) => INSIDE.exec(file)?.[0] ?? []))
}

/** Where Node finds a package that is named in a directory; undefined where it is not installed. */
function located(name: string, from: string): string | undefined {
  const here = join(from, 'node_modules', name)
  if (existsSync(join(here, 'package.json'))) return here
  return dirname(from) === from ? undefined : located(name, dirname(from))
}

/** A package with all that it depends on, for a bundle that its authors made and that tells no inputs. */
export function withDependencies(directory: string, known = new Set<string>()): Set<string> {
  if (known.has(directory)) return known
  known.add(directory)
  const { dependencies } = readPackageManifest(directory)
  for (const name of Object.keys(isManifest(dependencies) ? dependencies : {})) {
    const found = located(name, directory)
    if (found !== undefined) withDependencies(found, known)
  }
  return known
}

/** The notices of packages by their directories, each version once, by name. */
export function readNotices(directories: Iterable<string>): Notice[] {
  const notices = [...directories].map((directory) => readNotice(directory))
  const byName = new Map(notices.map((notice) => [`${notice.name} ${notice.version}`, notice]))
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
}

/** What the command prints: first who is in it, then each text once, with all that it is of. */
export function written(notices: readonly Notice[]): string {
  const list = notices.map(({ name, version, license }) => `${name} ${version}: ${license}\n`)
  const owners = new Map<string, string[]>()
  for (const { name, version, texts } of notices)
    for (const text of new Set(texts)) owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`])
  const texts = [...owners].map(([text, of]) => `\n${'='.repeat(80)}\n${of.join('\n')}\n\n${text}\n`)
  return `${list.join('')}${texts.join('')}`
}
