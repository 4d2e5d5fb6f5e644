import { Confirm } from '../../../components/forms/confirm.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { type Rate, removeRate, setRate } from './fx.api.ts'
import { say } from './words.ts'

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
      data.some(({ unconfirmed }) => unconfirmed) ? say('fx.it_still_waits_who') : say('fx.rate_confirmed_it_holds'),
    )
    await refresh('fx')
  }
  return (
    <Confirm
      title={say('fx.confirm_this_rate')}
      danger={false}
      confirmLabel={say('fx.confirm_rate')}
      opened={asked !== null}
      onClose={onClose}
      action={confirm}
    >
      {say('fx.far_from_price_day', {
        rate: asked ? `1 ${asked.base} = ${groupDigits(asked.rate)} ${asked.quote}` : '',
      })}
    </Confirm>
  )
}

/** Asks before a rate of the firm is taken away. */
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
      title={say('fx.remove_this_rate')}
      confirmLabel={say('fx.remove_rate')}
      opened={rate !== null}
      onClose={onClose}
      action={remove}
    >
      {say('fx.taken_from_common_pool', { base: rate?.base ?? '', quote: rate?.quote ?? '' })}
    </Confirm>
  )
}
