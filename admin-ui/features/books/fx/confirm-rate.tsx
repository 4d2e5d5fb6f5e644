import { Confirm } from '../../../components/forms/confirm.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { type Rate, removeRate, setRate } from './fx.api.ts'
import { say } from './words.ts'

type AskRateProps = { rate: Rate | null; onClose: () => void }

/** Asks before an unusual rate is confirmed: a second person sends the same rate again, or an owner forces it. */
export const ConfirmRate = ({ rate: asked, onClose }: AskRateProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const confirm = async (): Promise<void> => {
    if (!asked) return
    const { base, quote, rate, pool } = asked
    const source = asked.source === 'manual' ? {} : { source: asked.source }
    const { data } = await setRate({ base, quote, rate, ...source }, { global: pool === 'global', force: can('owner') })
    notify(data.some(({ unconfirmed }) => unconfirmed) ? say('fx.confirm.done_waits') : say('fx.confirm.done'))
    await refresh('fx')
  }
  return (
    <Confirm
      title={say('fx.confirm.title')}
      danger={false}
      confirmLabel={say('fx.confirm.submit')}
      opened={asked !== null}
      onClose={onClose}
      action={confirm}
    >
      {say('fx.confirm.about', {
        rate: asked ? `1 ${asked.base} = ${groupDigits(asked.rate)} ${asked.quote}` : '',
      })}
    </Confirm>
  )
}

/** Asks before a rate of the firm is removed. */
export const RemoveRate = ({ rate, onClose }: AskRateProps) => {
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    if (!rate) return
    await removeRate(rate)
    notify(say('fx.past.removed'))
    await refresh('fx')
  }
  return (
    <Confirm
      title={say('fx.remove.title')}
      confirmLabel={say('fx.remove.submit')}
      opened={rate !== null}
      onClose={onClose}
      action={remove}
    >
      {say('fx.remove.about', { base: rate?.base ?? '', quote: rate?.quote ?? '' })}
    </Confirm>
  )
}
