import { ColorInput, Group, Text, TextInput } from '@mantine/core'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { Section } from '../../../components/page/section.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useStandingForm } from '../../../lib/forms/use-standing-form.ts'
import { needsDarkening, paletteOf } from '../../../lib/screen/palette.ts'
import { DEFAULT_ACCENT } from '../../../theme.ts'
import { required } from '../auth/form-rules.ts'
import { type Tenant, updateFirm } from './settings.api.ts'
import { say } from './words.ts'

const SWATCHES = ['#2f55d4', '#0f766e', '#7c3aed', '#b4235a', '#c2410c', '#1d4ed8', '#15803d', '#334155']

/** Name and colour of the firm, with the colour tried out beside it. */
export const BrandSection = ({ tenant }: { tenant: Tenant }) => {
  const state = useStandingForm({
    live: tenant,
    resource: 'firm',
    toValues: ({ name, branding }) => ({ name, color: branding.color ?? '' }),
    validate: {
      name: required(say('settings.enter_name_your_firm')),
      color: (text: string) => (text === '' || paletteOf(text) ? null : say('settings.colour_such_as_2f55d4')),
    },
    save: ({ name, color }, { branding, version }) =>
      updateFirm({ name: name.trim(), branding: { ...branding, color: color || null } }, version),
    onSaved: () => notify(say('settings.settings_saved')),
  })
  const { name, color } = state.form.getValues()
  return (
    <Section title={say('settings.name_colour')}>
      <PageForm state={state} submitLabel={say('common.save')}>
        <TextInput label={say('common.firm')} {...state.form.getInputProps('name')} />
        <ColorInput
          label={say('settings.colour')}
          description={say('settings.buttons_links_marks_empty')}
          format="hex"
          // A word that is none stays, to be refused: the field would put back another colour without saying so.
          fixOnBlur={false}
          swatches={SWATCHES}
          swatchesPerRow={8}
          eyeDropperButtonProps={{ 'aria-label': say('settings.pick_colour_from_screen') }}
          popoverProps={{ withinPortal: true }}
          {...state.form.getInputProps('color')}
        />
        <Preview name={name} color={color} />
      </PageForm>
    </Section>
  )
}

const Preview = ({ name, color }: { name: string; color: string }) => {
  const shades = paletteOf(color) ?? paletteOf(DEFAULT_ACCENT)
  const filled = shades?.[6]
  const pale = shades?.[1]
  const strong = shades?.[8]
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {say('settings.preview')}
      </Text>
      <Group className="preview" gap="md" aria-hidden>
        <span className="preview-button" style={{ background: filled }}>
          {say('settings.settle')}
        </span>
        <span className="preview-tag" style={{ background: pale, color: strong }}>
          {name || say('settings.your_firm')}
        </span>
        <span className="preview-link" style={{ color: filled }}>
          {say('settings.link')}
        </span>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {needsDarkening(color) ? say('settings.white_text_on_this') : say('settings.white_text_on_this_colour')}
      </Text>
    </div>
  )
}
