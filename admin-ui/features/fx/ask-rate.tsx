import { Confirm } from '../../components/confirm.tsx'
import { groupDigits } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { type Rate, removeRate, setRate } from './fx.api.ts'

type AskRateProps = { rate: Rate | null; onClose: () => void }

/** Asks before an unusual rate holds: it is sent once more, by somebody who may confirm it. */
export const ConfirmRate = ({ rate: asked, onClose }: AskRateProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const confirm = async (): Promise<void> => {
    if (!asked) return
    const { base, quote, rate, pool } = asked
    const source = asked.source === 'manual' ? {} : { source: asked.source }
    const { data } = await setRate({ base, quote, rate, ...source }, { global: pool === 'global', force: can('owner') })
    notify(
      data.some(({ unconfirmed }) => unconfirmed)
        ? 'It still waits: who sent it does not confirm it alone.'
        : 'Rate confirmed. It holds from now on.',
    )
    await refresh('fx')
  }
  return (
    <Confirm
      title="Confirm this rate"
      danger={false}
      confirmLabel="Confirm rate"
      opened={asked !== null}
      onClose={onClose}
      action={confirm}
    >
      {asked && `1 ${asked.base} = ${groupDigits(asked.rate)} ${asked.quote}`} is far from the price of the day before.
      Compare it with a source of your own first: from then on conversions and limits use it.
    </Confirm>
  )
}

/** Asks before a rate of the firm is taken away. */
export const RemoveRate = ({ rate, onClose }: AskRateProps) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    if (!rate) return
    await removeRate(rate)
    notify('Rate removed.')
    await refresh('fx')
  }
  return (
    <Confirm
      title="Remove this rate"
      confirmLabel="Remove rate"
      opened={rate !== null}
      onClose={onClose}
      action={remove}
    >
      {rate?.base} → {rate?.quote} is taken from the common pool from now on, if it has one. What was converted stays as
      it is.
    </Confirm>
  )
}
