import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuditApi;
import org.openapitools.client.api.DepositsApi;
import org.openapitools.client.api.ExchangeRatesApi;
import org.openapitools.client.api.TradersApi;
import org.openapitools.client.model.Deposit;
import org.openapitools.client.model.DepositIn;
import org.openapitools.client.model.DepositRow;
import org.openapitools.client.model.Trader;
import org.openapitools.client.model.TraderIn;
import org.openapitools.client.model.TraderPage;
import org.openapitools.client.model.TraderPatch;

/** Ten calls by the client that openapi-generator makes for Java: BASE and KEY come from the environment. */
public class Calls {
  private static int passed = 0;

  private interface Call {
    void run() throws ApiException;
  }

  private static void check(String what, boolean isRight) {
    if (!isRight) throw new IllegalStateException(what + " is wrong");
    passed += 1;
  }

  private static ApiException refusal(Call call) {
    try {
      call.run();
    } catch (ApiException refused) {
      return refused;
    }
    throw new IllegalStateException("nothing was refused");
  }

  public static void main(String[] args) throws ApiException {
    Map<String, String> env = System.getenv();
    ApiClient client = new ApiClient();
    client.setBasePath(env.get("BASE"));
    client.addDefaultHeader("X-API-Key", env.get("KEY"));
    TradersApi traders = new TradersApi(client);
    DepositsApi deposits = new DepositsApi(client);
    String email = env.get("NAME") + "@example.com";

    TraderIn ada = new TraderIn().email(email).firstName("Ada").lastName("Byron");
    Trader trader = traders.tradersCreate(ada, null);
    check("a new client without a phone", trader.getPhone() == null && email.equals(trader.getEmail()));
    check("the same client", traders.tradersGet(trader.getId(), null).getCreatedAt().equals(trader.getCreatedAt()));
    TraderPatch patch = new TraderPatch().phone("+35722000000");
    Trader changed = traders.tradersUpdate(trader.getId(), patch, "\"" + trader.getVersion() + "\"");
    check("a changed client", "+35722000000".equals(changed.getPhone()) && changed.getVersion() == trader.getVersion() + 1);
    TraderPage page = traders.tradersList(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 1, null, true);
    check("a page of clients", page.getData().size() == 1 && page.getTotal() >= 1);
    check("the refusal of an unknown client", refusal(() -> traders.tradersGet("none", null)).getCode() == 404);
    ApiException wrong = refusal(() -> traders.tradersCreate(new TraderIn().email("nobody"), null));
    check("the refusal of a wrong address", wrong.getCode() == 422 && wrong.getResponseBody().contains("\"email\""));
    DepositIn bank = new DepositIn().traderId(trader.getId()).currency("EUR").amount("12.50");
    Deposit deposit = deposits.depositsCreate(bank.method(DepositIn.MethodEnum.BANK), null);
    check("a new deposit", deposit.getStatus() == Deposit.StatusEnum.PENDING && deposit.getSettledAt() == null);
    DepositRow row = deposits.depositsList(
        null, null, null, trader.getId(), null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null).getData().get(0);
    check("a list with the name of the client", "Ada Byron".equals(row.getTraderName()) && "12.50".equals(row.getAmount()));
    boolean isLogged = new AuditApi(client).auditList(
        null, null, null, null, null, deposit.getId(), null, null, null, null, null, null, null, null)
        .getData().stream().anyMatch(entry -> "deposit.create".equals(entry.getAction()));
    check("the log of changes", isLogged);
    check("a list that is answered whole", new ExchangeRatesApi(client).fxRatesList(null).getNextCursor() == null);
    System.out.println(passed + " calls");
  }
}
