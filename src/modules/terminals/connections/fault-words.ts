import { say } from '../../../words/say.ts'
import { FAULTS, type FaultCode } from '../contract/fault.ts'

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)

/**
 * Returns what a person reads of a fault: one sentence with its remedy. `detail` has facts such as a code of the
 * terminal.
 */
export function explainFault(code: string, detail: Readonly<Record<string, string>>): string {
  const known = isFaultCode(code) ? code : 'unexpected_code'
  const { expected = '', presented = '', retcode = '', reason = '' } = detail
  return say(`terminals.fault.${known}`, { expected, presented, retcode: retcode || '–', reason: reason || '–' })
}
