import type { Group, Hello, RIGHTS } from '../contract/terminal.ts'
import { readRow, readText } from './terminal5.answers.ts'
import { judgeRead, NOT_FOUND } from './terminal5.codes.ts'
import { PATHS } from './terminal5.paths.ts'
import { packMasks, type Reader, readClock, readTable } from './terminal5.reader.ts'
import { readGroup } from './terminal5.rows.ts'

/** The places of a manager's list of rights of which each right of ours needs one. */
const PLACES: Readonly<Record<(typeof RIGHTS)[number], readonly number[]>> = {
  connect: [1],
  accounts: [25],
  trades: [29],
  money: [24],
  change: [27],
  personal: [26, 76, 77, 78, 79, 80, 81],
  technical: [70],
  administrator: [0],
  delete: [47, 48],
  edit_trades: [30],
}
const isRight = (name: string): name is (typeof RIGHTS)[number] => name in PLACES
const NO_RIGHT = 8

/** Reads what our login may do. Of one that may not even see that, it is known that it may sign in. */
async function readRights({ session, address }: Reader): Promise<Hello['rights']> {
  const said = await session.read({ path: PATHS.manager, query: { login: address.login } })
  if (said.code === NO_RIGHT || said.code === NOT_FOUND) return ['connect']
  const fault = judgeRead(said, PATHS.manager)
  if (fault !== null) throw fault
  const row = readRow(said.answer)
  const list = row.Right ?? row.Rights
  const flags: unknown[] = Array.isArray(list) ? list : []
  return Object.keys(PLACES)
    .filter(isRight)
    .filter((name) => PLACES[name].some((place) => flags[place] === '1'))
}

/** Reads the groups that are read. */
async function readGroups(reader: Reader): Promise<Group[]> {
  const groups = new Map<string, Group>()
  for (const mask of packMasks(reader.address.masks))
    for (const row of await readTable(reader, { path: PATHS.groups, query: { mask } })) {
      const group = readGroup(row)
      groups.set(group.name, group)
    }
  return [...groups.values()]
}

/** Reads what a sign-in shows of a terminal. */
export async function readHello(reader: Reader): Promise<Hello> {
  const clock = await readClock(reader)
  const said = await reader.session.read({ path: PATHS.common })
  const common = judgeRead(said, PATHS.common) === null ? readRow(said.answer) : {}
  const rights = await readRights(reader)
  const groups = await readGroups(reader)
  return { build: readText(common, 'Build', 50) || reader.session.build().slice(0, 50), ...clock, rights, groups }
}
