import { ColorInput, Group, Text, TextInput } from '@mantine/core'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { Section } from '../../../components/page/section.tsx'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { buildPalette, needsDarkening } from '../../../lib/screen/palette.ts'
import { DEFAULT_ACCENT } from '../../../theme.ts'
import { required } from '../auth/form-rules.ts'
import { type Tenant, updateFirm } from './settings.api.ts'
import { say } from './words.ts'

const SWATCHES = ['#2f55d4', '#0f766e', '#7c3aed', '#b4235a', '#c2410c', '#1d4ed8', '#15803d', '#334155']

const pickBrand = ({ name, branding }: Tenant) => ({ name, color: branding.color ?? '' })

/** Changes the name and colour of the firm, with a preview. */
export const BrandSection = ({ tenant }: { tenant: Tenant }) => {
  const tellChange = useToldChange('firm')
  const state = useRecordForm({
    live: tenant,
    resource: 'firm',
    toValues: pickBrand,
    validate: {
      name: required(say('settings.brand.name_required')),
      color: (text: string) => (text === '' || buildPalette(text) ? null : say('settings.brand.colour_required')),
    },
    save: ({ name, color }, { branding, version }) =>
      updateFirm({ name: name.trim(), branding: { ...branding, color: color || null } }, version),
    onSaved: (saved, over, undo) =>
      tellChange({
        before: pickBrand(over),
        after: pickBrand(saved),
        undo,
        done: say('settings.saved'),
        labels: { name: say('common.firm'), color: say('settings.brand.colour') },
      }),
  })
  const { name, color } = state.form.getValues()
  return (
    <Section title={say('settings.brand.title')}>
      <PageForm state={state} submitLabel={say('common.save')}>
        <TextInput label={say('common.firm')} {...state.form.getInputProps('name')} />
        <ColorInput
          label={say('settings.brand.colour')}
          description={say('settings.brand.colour_hint')}
          format="hex"
          // By default the field silently replaces a text that is no colour by the last colour. Here the text stays and
          // is refused.
          fixOnBlur={false}
          swatches={SWATCHES}
          swatchesPerRow={8}
          eyeDropperButtonProps={{ 'aria-label': say('settings.brand.colour_picker') }}
          popoverProps={{ withinPortal: true }}
          {...state.form.getInputProps('color')}
        />
        <Preview name={name} color={color} />
      </PageForm>
    </Section>
  )
}

const Preview = ({ name, color }: { name: string; color: string }) => {
  const shades = buildPalette(color) ?? buildPalette(DEFAULT_ACCENT)
  const colours = Object.fromEntries((shades ?? []).map((shade, index) => [`--shade-${index}`, shade]))
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {say('settings.brand.preview')}
      </Text>
      <Group className="preview" gap="md" aria-hidden style={colours}>
        <span className="preview-button">{say('settings.brand.preview.button')}</span>
        <span className="preview-tag">{name || say('settings.brand.preview.name')}</span>
        <span className="preview-link">{say('settings.brand.preview.link')}</span>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {needsDarkening(color) ? say('settings.brand.contrast_low') : say('settings.brand.contrast_good')}
      </Text>
    </div>
  )
}
