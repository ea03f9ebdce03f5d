import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth'
import { addressOf } from '@/lib/http/request'

const handler = (request: Request, route: { params: Promise<{ nextauth: string[] }> }) =>
  NextAuth(request as never, route as never, authOptions(addressOf(request)))

export { handler as GET, handler as POST }
