import { redirect } from 'next/navigation'
import { mayI } from '@/lib/http/load'

/** Settings begin with what the user may change there. */
export default async function SettingsPage() {
  redirect((await mayI('directory.manage')) ? '/settings/media-categories' : '/settings/account')
}
