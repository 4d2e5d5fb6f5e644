import { List, Stack, Text } from '@mantine/core'
import { CopyText } from '../../../components/forms/copy-once.tsx'
import { Section } from '../../../components/page/section.tsx'
import { JsonBlock } from '../../../components/show/json-block.tsx'
import { say } from './words.ts'

const STEPS = ['ads.guide.open', 'ads.guide.paste', 'ads.guide.token', 'ads.guide.field', 'ads.guide.pages'] as const

/** Shows what to enter at the platform, so that it reports new leads at once. */
export const WebhookGuide = () => {
  const address = `${location.origin}/v1/ads/meta/webhook`
  return (
    <Section
      title={say('ads.guide.title')}
      description={say('ads.guide.description')}
      actions={<CopyText text={address} label={say('ads.guide.copy')} />}
    >
      <Stack gap="sm">
        <JsonBlock value={address} label={say('ads.guide.address')} />
        <List type="ordered" size="sm" spacing={6}>
          {STEPS.map((step) => (
            <List.Item key={step}>{say(step)}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          {say('ads.guide.afterwards')}
        </Text>
      </Stack>
    </Section>
  )
}
