import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Changeable, type ValueTools } from '../../../components/show/changeable.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { changeTrader, type TraderValue } from '../../clients/traders/change-trader.tsx'
import { SanctionsBadge } from '../../clients/traders/sanctions-badge.tsx'
import { KYC_LABELS } from '../../clients/traders/trader-words.ts'
import type { Overview, Trader } from '../../clients/traders/traders.api.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { say } from './words.ts'

/** Shows a client's risk, identity, screening and owner under the name. Risk and owner can be changed here. */
export const TraderHead = ({ trader, overview }: { trader: Trader; overview: Overview | undefined }) => {
  const staff = useStaff()
  const open = useCan()('operator') && trader.deletedAt === null
  const { riskLevel, kycStatus, kycLevel, assignedTo } = trader
  const edit = (name: TraderValue) => ({ edit: open ? changeTrader(trader, name) : undefined })
  return (
    <dl className="stands" aria-label={say('client.head')}>
      <Stand label={say('field.riskLevel')} {...edit('riskLevel')}>
        <StatusBadge status={riskLevel} />
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
      <Stand label={say('field.assignedTo')} {...edit('assignedTo')}>
        <span className={assignedTo === null ? 'dim' : undefined}>
          {staff.findStaffName(assignedTo) ?? say('client.owner_nobody')}
        </span>
      </Stand>
    </dl>
  )
}

type StandProps = ValueTools & { label: string; children: ReactNode }

const Stand = ({ label, children, ...tools }: StandProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Changeable label={label} {...tools}>
        {children}
      </Changeable>
    </dd>
  </div>
)
