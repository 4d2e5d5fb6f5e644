import { Stack } from '@mantine/core'
import { Labels } from '../../components/labels.tsx'
import { Facts } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { countryName } from '../../lib/countries.ts'
import { dayText } from '../../lib/day-text.ts'
import { languageName } from '../../lib/languages.ts'
import { useStaff } from '../users/users.api.ts'
import { KYC_LABELS } from './trader-words.ts'
import type { Trader } from './traders.api.ts'

/** What is written down about a client. */
export const TraderDetails = ({ trader }: { trader: Trader }) => {
  const staff = useStaff()
  const address = trader.address
  const lines = address && [address.street, address.city, address.region, address.postalCode].filter(Boolean)
  return (
    <Stack gap="md">
      <Section title="Person">
        <Facts
          items={[
            ['E-mail', trader.email],
            ['Phone', trader.phone],
            ['Date of birth', trader.dateOfBirth && dayText(trader.dateOfBirth)],
            ['Language', trader.language && languageName(trader.language)],
            ['Address', lines?.join(', ') || null],
            ['Country', trader.country && countryName(trader.country)],
          ]}
        />
      </Section>
      <Section title="In your firm">
        <Facts
          items={[
            ['Identity', <StatusBadge key="kyc" status={trader.kycStatus} label={KYC_LABELS[trader.kycStatus]} />],
            ['Identity level', String(trader.kycLevel)],
            ['Risk', <StatusBadge key="risk" status={trader.riskLevel} />],
            ['Assigned to', staff.nameOf(trader.assignedTo)],
            ['Source', trader.source],
            ['Segments', <Labels key="segments" values={trader.segments} />],
            ['Tags', <Labels key="tags" values={trader.tags} />],
            ['Last change', <When key="updated" at={trader.updatedAt} />],
            ['Id', trader.id],
          ]}
        />
      </Section>
    </Stack>
  )
}
