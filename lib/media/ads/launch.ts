import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { startInside } from '@/lib/sandbox/tools'
import type { Chromium } from './chromium'
import { BrowserEnded, Devtools } from './devtools'

export type Browser = { devtools: Devtools; pid: number; version: string; kill(): void; close(): Promise<void> }

/** Names lead nowhere, and what needs no name goes to a proxy that is not there. The sandbox has no network besides. */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-sync',
  '--disable-quic',
  '--no-pings',
]

const QUIET = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-hang-monitor',
  '--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,HttpsUpgrades',
  '--deny-permission-prompts',
  '--mute-audio',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  // What is meant to play shall play, so that it is seen; and nothing is slowed down for being out of sight.
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // WebGL by the processor: a server has no graphics card.
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--js-flags=--max-old-space-size=512',
]

/** A fresh browser that writes into one folder only. Rejects with the browser's reason; with `BrowserEnded` when it ended. */
export async function launch({ executable, environment }: Chromium, folder: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  try {
    return await start(executable, environment, folder, isRoot)
  } catch (error) {
    // Where the system lets no process make a sandbox (most containers), the sandbox around the browser has to do.
    const needsNone = error instanceof Error && /sandbox/i.test(error.message)
    if (isRoot || !needsNone) throw error
    return start(executable, environment, folder, true)
  }
}

async function start(
  executable: string,
  environment: Record<string, string>,
  folder: string,
  withoutSandbox: boolean,
): Promise<Browser> {
  const args = [...QUIET, ...NO_NETWORK, `--user-data-dir=${folder}`, ...(withoutSandbox ? ['--no-sandbox'] : [])]
  const folders = { TMPDIR: folder, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder }
  const child = startInside(executable, args, { ...environment, ...folders })
  let errors = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    errors = (errors + bytes.toString('utf8')).slice(-4000)
  })
  const devtools = new Devtools(child.stdio[3] as Writable, child.stdio[4] as Readable)
  child.on('error', (error) => devtools.end(error))
  // Processes of its own may keep the pipe open.
  child.on('exit', () => devtools.end(new BrowserEnded('the browser ended')))
  const close = () => ended(child)
  try {
    const { product } = await devtools.send('Browser.getVersion')
    return { devtools, pid: child.pid ?? 0, version: String(product), kill: () => void child.kill('SIGKILL'), close }
  } catch (error) {
    await close()
    const said = errors
      .trim()
      .split('\n')
      .find((line) => /sandbox|FATAL|error while loading/i.test(line))
    const reason = said ?? errors.trim().split('\n').at(-1) ?? ''
    const Kind = error instanceof BrowserEnded ? BrowserEnded : Error
    throw new Kind(
      `Chromium does not start: ${reason.slice(0, 300) || (error instanceof Error ? error.message : error)}`,
    )
  }
}

/** Kills it; its other processes end with it, and with the group they share with us at the latest. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
