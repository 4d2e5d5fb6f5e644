import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { errorText } from '../../../components/page/error-state.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { notify, notifyFailure } from '../../../lib/api/notify.tsx'
import { useCan, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import type { Choice } from '../../../lib/text/choices.ts'
import { SanctionsBadge } from '../../clients/traders/sanctions-badge.tsx'
import { KYC_LABELS, RISKS } from '../../clients/traders/trader-words.ts'
import { type Overview, type Trader, type TraderChange, updateTrader } from '../../clients/traders/traders.api.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { say } from './words.ts'

const isRisk = (text: string): text is Trader['riskLevel'] => RISKS.some(({ value }) => value === text)

/** Shows a client's risk, identity, screening and owner under the name. Risk and owner can be changed here. */
export const TraderHead = ({ trader, overview }: { trader: Trader; overview: Overview | undefined }) => {
  const can = useCan()
  const me = useMe()
  const staff = useStaff()
  const change = useChange(trader)
  const open = can('operator') && trader.deletedAt === null
  const { riskLevel, kycStatus, kycLevel, assignedTo } = trader
  const owner = staff.findStaffName(assignedTo) ?? say('client.owner_nobody')
  const mine = { value: me.id, label: say('client.owner_mine') }
  const owners = [
    ...(assignedTo === me.id ? [] : [mine]),
    ...(assignedTo === null ? [] : [{ value: '', label: say('client.owner_nobody') }]),
    ...staff.options.filter(({ value }) => value !== assignedTo && value !== me.id),
  ]
  return (
    <dl className="stands" aria-label={say('client.head')}>
      <Stand label={say('field.riskLevel')}>
        <Choose
          label={say('field.riskLevel')}
          shown={<StatusBadge status={riskLevel} />}
          words={RISKS.find(({ value }) => value === riskLevel)?.label ?? riskLevel}
          options={open ? RISKS.filter(({ value }) => value !== riskLevel) : []}
          onChoose={(value) => {
            if (isRisk(value)) change({ riskLevel: value })
          }}
        />
      </Stand>
      <Stand label={say('client.identity')}>
        <Link to="." search={{ tab: 'kyc' }} className="stand-link">
          <StatusBadge
            status={kycStatus}
            label={
              kycLevel > 0
                ? say('client.identity_level', { state: KYC_LABELS[kycStatus], level: kycLevel })
                : KYC_LABELS[kycStatus]
            }
          />
        </Link>
      </Stand>
      {overview?.sanctions && (
        <Stand label={say('client.sanctions')}>
          <SanctionsBadge state={overview.sanctions} traderId={trader.id} />
        </Stand>
      )}
      <Stand label={say('field.assignedTo')}>
        <Choose
          label={say('field.assignedTo')}
          shown={<span className={assignedTo === null ? 'dim' : undefined}>{owner}</span>}
          words={owner}
          options={open ? owners : []}
          onChoose={(value) => change({ assignedTo: value || null })}
        />
      </Stand>
    </dl>
  )
}

type HeadChange = Pick<TraderChange, 'riskLevel' | 'assignedTo'>

const rankRisk = (level: Trader['riskLevel']): number => RISKS.findIndex(({ value }) => value === level)

/** Returns the change that takes another one back; null after a higher risk, which another person lowers. */
const buildUndo = (change: HeadChange, { riskLevel, assignedTo }: Trader): HeadChange | null => {
  if (change.riskLevel === undefined) return { assignedTo }
  return rankRisk(change.riskLevel) > rankRisk(riskLevel) ? null : { riskLevel }
}

/** Returns a function that changes a value of the client. A colleague's newer version is shown, not overwritten. */
const useChange = (trader: Trader): ((change: HeadChange) => void) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('traders')
  const { mutate } = useMutation({
    mutationFn: ({ change, before }: { change: HeadChange; before: Trader }) =>
      updateTrader(before.id, change, before.version),
    onSuccess: ({ id, version }, { change, before }) => {
      const back = buildUndo(change, before)
      if (back) offerUndo(say('client.changed'), () => updateTrader(id, back, version))
      else notify(say('client.changed'))
    },
    onError: (error) => notifyFailure(errorText(error)),
    onSettled: () => refresh('traders'),
  })
  return (change) => mutate({ change, before: trader })
}

const Stand = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

type ChooseProps = {
  label: string
  shown: ReactNode
  /** Names the value that `shown` shows, for screen readers. */
  words: string
  options: readonly Choice[]
  onChoose: (value: string) => void
}

/** Shows a value and a menu to choose another one. Without options the value is only shown. */
const Choose = ({ label, shown, words, options, onChoose }: ChooseProps) => {
  if (options.length === 0) return shown
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="stand-choose" aria-label={say('client.change_of', { field: label, value: words })}>
          {shown}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="stand-options">
        {options.map(({ value, label: name }) => (
          <Menu.Item key={value} onClick={() => onChoose(value)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
