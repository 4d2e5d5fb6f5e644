// Ten calls by the client that openapi-generator makes for Go: BASE and KEY come from the environment.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	made "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var passed int

func check(what string, isRight bool, err error) {
	if err != nil || !isRight {
		panic(fmt.Sprintf("%s is wrong: %v", what, err))
	}
	passed++
}

func isRefused(answer *http.Response, err error, status int, text string) bool {
	refused, isOurs := err.(*made.GenericOpenAPIError)
	return isOurs && answer.StatusCode == status && strings.Contains(string(refused.Body()), text)
}

func main() {
	configuration := made.NewConfiguration()
	configuration.Servers = made.ServerConfigurations{{URL: os.Getenv("BASE")}}
	client := made.NewAPIClient(configuration)
	keys := map[string]made.APIKey{"apiKey": {Key: os.Getenv("KEY")}}
	ctx := context.WithValue(context.Background(), made.ContextAPIKeys, keys)
	email := os.Getenv("NAME") + "@example.com"

	body := made.NewTraderIn(email)
	body.SetFirstName("Ada")
	body.SetLastName("Byron")
	trader, _, err := client.TradersAPI.TradersCreate(ctx).TraderIn(*body).Execute()
	check("a new client without a phone", err == nil && !trader.Phone.IsSet() || trader.Phone.Get() == nil, err)
	same, _, err := client.TradersAPI.TradersGet(ctx, trader.Id).Execute()
	check("the same client", err == nil && same.CreatedAt.Equal(trader.CreatedAt), err)
	patch := made.NewTraderPatch()
	patch.SetPhone("+35722000000")
	version := fmt.Sprintf("%q", fmt.Sprint(trader.Version))
	changed, _, err := client.TradersAPI.TradersUpdate(ctx, trader.Id).TraderPatch(*patch).IfMatch(version).Execute()
	check("a changed client", err == nil && *changed.Phone.Get() == "+35722000000", err)
	page, _, err := client.TradersAPI.TradersList(ctx).Limit(1).Count(true).Execute()
	check("a page of clients", err == nil && len(page.Data) == 1 && page.GetTotal() >= 1, err)
	_, answer, err := client.TradersAPI.TradersGet(ctx, "none").Execute()
	check("the refusal of an unknown client", isRefused(answer, err, 404, "not_found"), nil)
	_, answer, err = client.TradersAPI.TradersCreate(ctx).TraderIn(*made.NewTraderIn("nobody")).Execute()
	check("the refusal of a wrong address", isRefused(answer, err, 422, `"email"`), nil)
	paid := made.NewDepositIn("EUR", "12.50", "bank")
	paid.SetTraderId(trader.Id)
	deposit, _, err := client.DepositsAPI.DepositsCreate(ctx).DepositIn(*paid).Execute()
	check("a new deposit", err == nil && deposit.Status == "pending" && deposit.SettledAt.Get() == nil, err)
	rows, _, err := client.DepositsAPI.DepositsList(ctx).TraderId(trader.Id).Execute()
	check("a list with the name of the client", err == nil && *rows.Data[0].TraderName.Get() == "Ada Byron", err)
	entries, _, err := client.AuditAPI.AuditList(ctx).EntityId(deposit.Id).Execute()
	check("the log of changes", err == nil && len(entries.Data) > 0 && entries.Data[0].Action == "deposit.create", err)
	rates, _, err := client.ExchangeRatesAPI.FxRatesList(ctx).Execute()
	check("a list that is answered whole", err == nil && rates.NextCursor.Get() == nil, err)
	fmt.Println(passed, "calls")
}
