import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { gateway } from '../../../testing/samples.ts'
import { Connections } from './connections.tsx'

test('a new gateway needs its name and a secret, and then shows the address for its results', async () => {
  const { server } = await renderPage(<Connections />, {
    at: '/gateways',
    route: '/gateways',
    role: 'admin',
    answers: { 'psp.list': buildPage(gateway()), 'psp.create': gateway({ id: 'psp_2', name: 'Wallets' }) },
  })
  await pressButton('New gateway')
  const form = within(await seen('dialog', 'New gateway'))
  await press(form.getByRole('button', { name: 'Add gateway' }))
  expect(await form.findByText('Name the gateway')).toBeDefined()
  expect(server.of('psp.create')).toEqual([])
  await fill(form.getByLabelText(/^Name/), ' Wallets ')
  await fill(form.getByLabelText(/^Secret/), ' sixteen letters ')
  await press(form.getByRole('button', { name: 'Add gateway' }))
  expect(await seen('dialog', /Wallets/)).toBeDefined()
  expect(server.of('psp.create').map(({ body }) => body)).toEqual([
    { name: 'Wallets', kind: 'generic', secret: ' sixteen letters ' },
  ])
})

test('a gateway’s row counts its open exceptions; its drawer has the address and an example call', async () => {
  await renderPage(<Connections />, {
    at: '/gateways',
    route: '/gateways',
    role: 'admin',
    answers: { 'psp.list': buildPage(gateway({ openExceptions: 1200 })) },
  })
  expect((await seen('row', /Card payments/)).textContent).toContain('1,200')
  await press(within(await seen('row', /Card payments/)).getByText('Card payments'))
  await seen('dialog', /Card payments/)
  await pressButton('Copy address')
  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toBe('http://console.test/v1/psp/psp_1/callback'),
  )
  expect(screen.getByLabelText('Example call').textContent).toContain(
    "curl 'http://console.test/v1/psp/psp_1/callback' -H",
  )
})

test('a gateway stands still if a former colleague entered its secret, and says what to do', async () => {
  await renderPage(<Connections />, {
    at: '/gateways',
    route: '/gateways',
    role: 'admin',
    answers: { 'psp.list': buildPage(gateway({ standsStill: true, secretBy: 'usr_gone' })), 'users.list': buildPage() },
  })
  await press(within(await seen('row', /Stands still/)).getByText('Card payments'))
  const drawer = within(await seen('dialog', /Card payments/))
  expect(await drawer.findByText('Former colleague')).toBeDefined()
  expect(drawer.getByText(/Enter a new secret, here and at the gateway/)).toBeDefined()
})
