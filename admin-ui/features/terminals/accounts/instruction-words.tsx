import type { ReactNode } from 'react'
import { Money } from '../../../components/show/money.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import type { Instruction } from './orders.api.ts'
import { say } from './words.ts'

export const KINDS: Record<Instruction['kind'], string> = {
  balance: say('terminals.order.kind.balance'),
  open: say('terminals.order.kind.open'),
  leverage: say('terminals.order.kind.leverage'),
  group: say('terminals.order.kind.group'),
  trading: say('terminals.order.kind.trading'),
  sign_in: say('terminals.order.kind.sign_in'),
  password: say('terminals.order.kind.password'),
}
export const STATES: Record<Instruction['state'], { label: string; tone: Tone }> = {
  queued: { label: say('terminals.order.state.queued'), tone: 'wait' },
  sending: { label: say('terminals.order.state.sending'), tone: 'wait' },
  done: { label: say('terminals.order.state.done'), tone: 'good' },
  refused: { label: say('terminals.order.state.refused'), tone: 'bad' },
  unclear: { label: say('terminals.order.state.unclear'), tone: 'wait' },
  unresolved: { label: say('terminals.order.state.unresolved'), tone: 'bad' },
  cancelled: { label: say('terminals.order.state.cancelled'), tone: 'off' },
}
export const InstructionState = ({ state }: Pick<Instruction, 'state'>) => (
  <StatusBadge status={state} {...STATES[state]} />
)

const sayOnOff = (isOn: boolean): string => say(isOn ? 'terminals.order.value.on' : 'terminals.order.value.off')

/** Returns what is set, opened or moved; null if there is nothing to say. */
export function showValue({ amount, currency, value }: Instruction): ReactNode {
  const { group, leverage, trading, signIn, password } = value
  if (amount !== null) return <Money amount={amount} currency={currency} />
  if (group !== undefined)
    return leverage === undefined ? group : say('terminals.order.value.open', { group, leverage })
  if (leverage !== undefined) return say('terminals.order.value.leverage', { leverage })
  if (password !== undefined)
    return say(password === 'main' ? 'terminals.order.value.main' : 'terminals.order.value.investor')
  if (trading !== undefined) return sayOnOff(trading)
  return signIn === undefined ? null : sayOnOff(signIn)
}

/** Says what came of a sending or of a look, as it is noted: a word, and what the server said. */
export function nameOutcome(came: string): string {
  const [word = '', ...rest] = came.split(' ')
  const detail = rest.join(' ')
  switch (word) {
    case 'done':
      return say('terminals.order.came.done')
    case 'none':
      return say('terminals.order.came.none')
    case 'differs':
      return say('terminals.order.came.differs')
    case 'ended':
      return say('terminals.order.came.ended')
    case 'refused':
      return say('terminals.order.came.refused', { detail })
    case 'unclear':
      return say('terminals.order.came.unclear', { detail })
    case 'not_sent':
      return say('terminals.order.came.not_sent', { detail })
    default:
      return say('terminals.order.came.other', { detail: came })
  }
}
