import { createBoxParts } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import { listBoxes } from '../modules/box/boxes/boxes.service.ts'
import { groupBoxes, printMap, printProxy } from '../modules/box/boxes/proxy-config.ts'
import { withPlatform } from './with-platform.ts'

/** The flags of `proxy print`, as typed: a box whose firms alone are meant, and whether the map is printed. */
export type ProxyFlags = { name?: string; map?: true }

/** Returns the configuration of HAProxy for the named boxes, or its map of firms. Throws a sentence without boxes. */
export const proxyPrint = (config: Config, { name, map }: ProxyFlags): Promise<string> =>
  withPlatform(config, async (platform) => {
    const { boxes } = await listBoxes(createBoxParts(platform))
    const groups = groupBoxes(boxes)
    const chosen = groups.filter((group) => name === undefined || group.boxes.some((box) => box.name === name))
    if (boxes.length === 0) throw new Error('No boxes are named yet: System in the console, or PUT /v1/system/boxes.')
    if (chosen.length === 0) throw new ConfigError(`--name: there is no box “${name}”.`)
    return map ? printMap(chosen) : printProxy(chosen)
  })
