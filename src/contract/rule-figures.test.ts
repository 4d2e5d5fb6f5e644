import { expect, test } from 'bun:test'
import { join } from 'node:path'
import * as is from '../words/rule-figures.ts'

const page = async (path: string): Promise<string> =>
  (await Bun.file(join(import.meta.dir, '..', path)).text()).replace(/\s+/g, ' ')
const rules = await page('RULES.md')
const api = await page('manual/api.md')

test.each([
  `a link that lives ${is.INVITE_HOURS} hours`,
  `it becomes so ${is.ALONE_HOURS} hours after`,
  `nor decides anything of them for ${is.INVOLVED_DAYS} days`,
  `Who within ${is.INVOLVED_DAYS} days brought money to a client by hand`,
  `Who lifted a block of a client is for ${is.INVOLVED_DAYS} days`,
  `they can be restored for ${is.RESTORE_DAYS} days`,
  `After ${is.RESTORE_DAYS} days the person is erased`,
  `nothing of the primary for ${is.MERGED_HOURS} hours`,
  `A vote lapses after ${is.APPROVAL_HOURS} hours`,
  `asked for or approved for one client in ${is.SUM_HOURS} hours counts together`,
  `not paid within ${is.PAY_WITHIN_DAYS} days goes back`,
  `${is.DEFAULT_THRESHOLD.toLocaleString('en')} of the firm’s currency until the owner sets another one`,
  `${is.DEFAULT_THRESHOLD.toLocaleString('en')} of the firm's currency by default`,
  `least KYC level for money out (${is.DEFAULT_KYC_LEVEL} by default)`,
  `at most ${is.MAX_FILE_MIB} MiB`,
  `it is opened again within ${is.REOPEN_DAYS} days`,
  `the firm's events of the last ${is.EVENT_DAYS} days`,
  `mistakes can be read for ${is.IMPORT_DAYS} days`,
  `After ${is.FAILING_DAYS} days without a success`,
])('RULES states “%s”', (sentence) => expect(rules).toContain(sentence))

test.each([
  `or ${is.ALONE_HOURS} hours`,
  `Votes lapse after ${is.APPROVAL_HOURS} hours`,
  `within ${is.PAY_WITHIN_DAYS} days must be approved again`,
  `the firm's events of the last ${is.EVENT_DAYS} days`,
])('the manual states “%s”', (sentence) => expect(api).toContain(sentence))
