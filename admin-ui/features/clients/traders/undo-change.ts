import { useToldChange } from '../../../components/forms/use-undo.ts'
import { useCan } from '../../../lib/api/session.ts'
import { same } from '../../../lib/forms/merge-values.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { toBody, toValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { type Trader, type TraderChange, updateTrader } from './traders.api.ts'
import { say } from './words.ts'

/** A change of these sets something off, such as a new check of documents or the end of sessions, which stays. */
const WITH_TRACES: readonly string[] = ['email', 'firstName', 'lastName', 'country', 'dateOfBirth']

const rankRisk = ({ riskLevel }: Trader): number => RISKS.findIndex(({ value }) => value === riskLevel)

/** Returns the changed values as they were before, for the API. */
function listFormer(before: Trader, after: Trader): TraderChange {
  const [was, is] = [toBody(toValues(before)), toBody(toValues(after))]
  return Object.fromEntries(Object.entries(was).filter(([key, value]) => !same(value, Reflect.get(is, key))))
}

/**
 * Returns a function that says how a client was changed; its Undo is refused if somebody changed them after that. Only
 * a manager may lower a risk, so an operator cannot undo raising it and is told who can.
 */
export const useToldTrader = (): ((before: Trader, after: Trader) => void) => {
  const tellChange = useToldChange('traders')
  const isManager = useCan()('manager')
  const { findStaffName } = useStaff()
  return (before, after) => {
    const back = listFormer(before, after)
    const pick = (trader: Trader): object => {
      const values = toBody(toValues(trader))
      return Object.fromEntries(Object.keys(back).map((key) => [key, Reflect.get(values, key)]))
    }
    const isBarred = rankRisk(after) > rankRisk(before) && !isManager
    const hasTraces = Object.keys(back).some((key) => WITH_TRACES.includes(key))
    tellChange({
      before: pick(before),
      after: pick(after),
      undo: isBarred ? null : () => updateTrader(after.id, back, after.version),
      done: say('client.changed'),
      nameValue: (key, value) => (key === 'assignedTo' ? findStaffName(value) : null),
      ...(hasTraces && { words: { done: say('client.changed_back') } }),
    })
  }
}
