import { Anchor, Code, Text } from '@mantine/core'
import type { Answer } from '../../../api.ts'
import { Section } from '../../../components/page/section.tsx'
import { Fact } from './status-section.tsx'
import { say } from './words.ts'

type Status = Answer<'system.status'>
type StandbySectionProps = Pick<Status, 'warnings'> & { standby: NonNullable<Status['standby']> }

/** Shows what a standby follows and how old its data is, and how it takes over. */
export const StandbySection = ({ standby, warnings }: StandbySectionProps) => {
  const { primary, history, ageSeconds, stale, clockAheadSeconds } = standby
  const seconds = (count: number | null): string =>
    count === null ? say('standby.unknown') : say('standby.seconds', { seconds: Math.abs(count) })
  return (
    <Section title={say('standby.title')} description={say('standby.about')}>
      <dl className="system-facts">
        <Fact name={say('standby.follows')}>
          {primary === null ? say('standby.unknown') : <Anchor href={`${primary}/admin/`}>{primary}</Anchor>}
        </Fact>
        <Fact name={say('standby.age')} isBad={stale}>
          {seconds(ageSeconds)}
        </Fact>
        <Fact name={say('standby.clock')} isBad={warnings.some(({ code }) => code === 'standby_clock')}>
          {seconds(clockAheadSeconds)}
        </Fact>
        <Fact name={say('standby.history')}>{history ?? say('standby.unknown')}</Fact>
      </dl>
      <Text size="sm" mt="sm">
        {say('standby.promote')} <Code>brokerbase promote</Code>
      </Text>
    </Section>
  )
}
