import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses a network such as `10.1.0.0/16`; throws a sentence if it is none. */
export const parseNetwork = (text: string): Network => {
  if (!ipaddr.isValidCIDR(text)) throw new Error(`"${text}" is not a network such as 10.1.0.0/16 or fd00::/8.`)
  return ipaddr.parseCIDR(text)
}

// all special networks of the IANA registries, since the library's names for ranges change between versions
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // protocol assignments with Teredo, documentation, 6to4: the parts of 2000::/3 that are not plain hosts
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(parseNetwork)

// only 2000::/3 is assigned to hosts; all else (loopback, unique local, link local, multicast and every form with an
// IPv4 address inside) is refused without a list
const globalUnicast = parseNetwork('2000::/3')

export const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

// `isIP` first, since the library also reads octal, hexadecimal and short forms, and zones
export const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)

/** Returns whether the text is a canonical IP address of an ordinary host of the public internet. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  if (address.kind() === 'ipv6' && !isInside(address, globalUnicast)) return false
  return address.range() === 'unicast' && !specialNetworks.some((network) => isInside(address, network))
}
