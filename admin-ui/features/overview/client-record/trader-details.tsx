import { Stack } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { ActButton } from '../../../components/page/act-button.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import type { ValueTools } from '../../../components/show/changeable.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { languageName } from '../../../lib/text/languages.ts'
import { phoneText } from '../../../lib/text/phone-text.ts'
import { changeTrader, type TraderValue } from '../../clients/traders/change-trader.tsx'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { say } from './words.ts'

type TraderDetailsProps = {
  trader: Trader
  /** Opens the form of all values; it is missing where the reader may change nothing. */
  editAll?: (() => void) | undefined
}

/** Shows the recorded facts about a client, each with buttons to copy it, and to change it in place. */
export const TraderDetails = ({ trader, editAll }: TraderDetailsProps) => {
  const seesAll = useCan()('operator')
  const { email, phone, dateOfBirth, language, address, country, source, segments, tags } = trader
  const lines = address && [address.street, address.city, address.region, address.postalCode].filter(Boolean).join(', ')
  const birth = seesAll ? dateOfBirth && dayText(dateOfBirth) : undefined
  const tools = (name: TraderValue, copy?: string | null): ValueTools => ({
    copy,
    edit: editAll && changeTrader(trader, name),
  })
  return (
    <Stack gap="md" className="client-facts">
      <Section
        title={say('client.person')}
        description={!seesAll && say('fields.identity.hidden')}
        actions={
          editAll && (
            <ActButton
              hotkey="e"
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPencil size={14} />}
              onClick={editAll}
            >
              {say('client.edit')}
            </ActButton>
          )
        }
      >
        <Facts
          items={[
            [say('field.email'), email, tools('email', email)],
            [say('field.phone'), phone && phoneText(phone), tools('phone', seesAll ? phone : null)],
            [say('field.dateOfBirth'), birth, tools('dateOfBirth', dateOfBirth)],
            [say('field.language'), language && languageName(language), tools('language')],
            [say('field.address'), lines, tools('address', lines)],
            [say('field.country'), country && countryName(country), tools('country')],
          ]}
        />
      </Section>
      <Section title={say('client.firm')}>
        <Facts
          items={[
            [say('field.source'), source, tools('source')],
            [say('field.segments'), <Labels key="segments" values={segments} />, tools('segments')],
            [say('field.tags'), <Labels key="tags" values={tags} />, tools('tags')],
            [say('client.last_change'), <When key="updated" at={trader.updatedAt} as="ago" />],
            [say('client.id'), <code key="id">{trader.id}</code>, { copy: trader.id }],
          ]}
        />
      </Section>
    </Stack>
  )
}
