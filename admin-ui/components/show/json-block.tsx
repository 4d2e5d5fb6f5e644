import { Code } from '@mantine/core'
import { ScrollRegion } from './scroll-region.tsx'

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Shows JSON, or any other text, in a box that scrolls. Text that is JSON is indented. */
export const JsonBlock = ({ value, label }: { value: unknown; label: string }) => (
  <ScrollRegion className="json" label={label}>
    <Code block>{typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}</Code>
  </ScrollRegion>
)
