export { ScreenProviders as default } from '../screen-providers'
