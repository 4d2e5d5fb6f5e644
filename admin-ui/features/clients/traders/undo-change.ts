import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { same } from '../../../lib/forms/merge-values.ts'
import { type TraderValues, toBody, toValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { type Trader, type TraderChange, updateTrader } from './traders.api.ts'
import { say } from './words.ts'

/** A change of these has no consequences. Other changes affect documents, sign-in or approvals, and have no undo. */
const PLAIN: readonly (keyof TraderValues)[] = ['language', 'address', 'segments', 'tags', 'assignedTo', 'source']

const rankRisk = ({ riskLevel }: Trader): number => RISKS.findIndex(({ value }) => value === riskLevel)

/** Returns the change that undoes another one, or null if there is none: a raised risk cannot be lowered by Undo. */
function buildUndo(before: Trader, after: Trader): TraderChange | null {
  const [was, is] = [toBody(toValues(before)), toBody(toValues(after))]
  const changed = Object.entries(was).filter(([key, value]) => !same(value, Reflect.get(is, key)))
  const isLower = rankRisk(after) < rankRisk(before)
  const canUndo = changed.every(([key]) => PLAIN.some((plain) => plain === key) || (key === 'riskLevel' && isLower))
  return canUndo && changed.length > 0 ? Object.fromEntries(changed) : null
}

/** Returns a function that says that a client was changed; its Undo is refused if somebody changed them after that. */
export const useToldChange = (): ((before: Trader, after: Trader) => void) => {
  const offerUndo = useUndo('traders')
  return (before, after) => {
    const back = buildUndo(before, after)
    if (back) offerUndo(say('client.changed'), () => updateTrader(after.id, back, after.version))
    else notify(say('client.changed'))
  }
}
