/**
 * `bun run dev`: the demo from source. Bun restarts it if a source of the server changes. If a source of the console
 * changes, the console is built again, and the next load of a page shows it. Arguments go to the demo.
 */
import { watch } from 'node:fs'
import { join } from 'node:path'

/** The folders from which the console is bundled, besides packages. Of the server it takes types only. */
const WATCHED = ['admin-ui', 'src/words']
/** Changes within this time count as one, such as saving all files or changing the branch. */
const SETTLED_MS = 100

const root = join(import.meta.dir, '..')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

let isBuilding = false
let isStale = false

/** Builds the console, and again if something changed meanwhile; a failed build is only reported. */
async function rebuild(): Promise<void> {
  isStale = true
  if (isBuilding) return
  isBuilding = true
  while (isStale) {
    isStale = false
    const build = [process.execPath, join(root, 'build.ts'), '--console-only']
    const code = await Bun.spawn(build, { cwd: root, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' }).exited
    if (code !== 0) print('console      not built; the one before it is still there')
  }
  isBuilding = false
}

await rebuild()
let settling: ReturnType<typeof setTimeout> | undefined
for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name === null || /\.test\.tsx?$/.test(name) || !/\.(tsx?|js|css|html|svg)$/.test(name)) return
    clearTimeout(settling)
    settling = setTimeout(() => void rebuild(), SETTLED_MS)
  })

const demo = [process.execPath, '--watch', 'src/main.ts', 'demo', '--port', '3000', ...process.argv.slice(2)]
const server = Bun.spawn(demo, { cwd: root, stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
process.exit(await server.exited)
